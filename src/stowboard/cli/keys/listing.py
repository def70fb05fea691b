"""List the live signing keys, without their secrets."""

from argparse import Namespace

from stowboard.access.signing_keys import load_signing_keys
from stowboard.cli.on_database import read_only
from stowboard.cli.times import minute_of
from stowboard.settings import Settings


def run(settings: Settings, _: Namespace) -> None:
    for key in read_only(settings, load_signing_keys, settings.keys):
        fixed = settings.keys.signing_keys
        print(f"{key.id}  {'of STOWBOARD_SIGNING_KEYS' if fixed else f'since {minute_of(key.created_at)}'}")
