"""`stowboard keys`: the keys that sign."""

import time

import typer

from stowboard.access.signing_keys import KeySettings, load_signing_keys, rotate_signing_key
from stowboard.cli.on_database import fail, on_database
from stowboard.core.signing import SETTLING_MS, SigningKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings


def show_all(settings: Settings) -> None:
    for key in on_database(settings, _load, settings.keys):
        typer.echo(f"{key.id}  {'of STOWBOARD_SIGNING_KEYS' if settings.keys.signing_keys else _since(key)}")


def rotate(settings: Settings) -> None:
    if settings.keys.signing_keys:
        fail("the keys are in STOWBOARD_SIGNING_KEYS: put a new one in front there and drop the last.")
    key_id = on_database(settings, _rotate)
    typer.echo(f"{key_id} signs from {SETTLING_MS // 1000} seconds on; the key before it still verifies.")


def _since(key: SigningKey) -> str:
    return time.strftime("since %Y-%m-%d %H:%M UTC", time.gmtime(key.created_at / 1000))


async def _load(db: Database, keys: KeySettings) -> list[SigningKey]:
    return await db.read(load_signing_keys, keys)


async def _rotate(db: Database) -> str:
    return await db.transact(_rotate_noted)


async def _rotate_noted(tx: Tx) -> str:
    key_id = await rotate_signing_key(tx)
    await audit.record(tx, OPERATOR, "key.rotate", key_id)
    return key_id
