"""List the live signing keys, without their secrets."""

from argparse import Namespace

from stowboard.access.signing_keys import KeySettings, load_signing_keys
from stowboard.cli.on_database import on_database
from stowboard.cli.times import minute_of
from stowboard.core.signing import SigningKey
from stowboard.db.database import Database
from stowboard.settings import Settings


def run(settings: Settings, _: Namespace) -> None:
    for key in on_database(settings, _load, settings.keys):
        fixed = settings.keys.signing_keys
        print(f"{key.id}  {'of STOWBOARD_SIGNING_KEYS' if fixed else f'since {minute_of(key.created_at)}'}")


async def _load(db: Database, keys: KeySettings) -> list[SigningKey]:
    return await db.read(load_signing_keys, keys)
