"""`stowboard keys`: the keys that sign."""

import time
from collections.abc import Awaitable, Callable

import typer

from stowboard.access.signing_keys import KeySettings, load_signing_keys, rotate_digest_key, rotate_signing_key
from stowboard.cli.on_database import fail, on_database
from stowboard.core.errors import Conflict
from stowboard.core.signing import SETTLING_MS, SigningKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings


def show_all(settings: Settings) -> None:
    for key in on_database(settings, _load, settings.keys):
        typer.echo(f"{key.id}  {'of STOWBOARD_SIGNING_KEYS' if settings.keys.signing_keys else _since(key)}")


def rotate(settings: Settings, digest: bool) -> None:
    if digest:
        _rotate_digest(settings)
        return
    if settings.keys.signing_keys:
        fail("the keys are in STOWBOARD_SIGNING_KEYS: put a new one in front there and drop the last.")
    key_id = on_database(settings, _rotate, rotate_signing_key)
    typer.echo(f"{key_id} signs from {SETTLING_MS // 1000} seconds on; the key before it still verifies.")


def _rotate_digest(settings: Settings) -> None:
    if settings.keys.digest_keys:
        fail("the keys are in STOWBOARD_DIGEST_KEY: put a new one in front there and drop the last.")
    try:
        key_id = on_database(settings, _rotate, rotate_digest_key)
    except Conflict as problem:
        fail(problem.message)
    typer.echo(f"{key_id} makes digests from {SETTLING_MS // 1000} seconds on.")
    typer.echo("Tokens, clients and sessions that are used until the next rotation stay; others end with that.")


def _since(key: SigningKey) -> str:
    return time.strftime("since %Y-%m-%d %H:%M UTC", time.gmtime(key.created_at / 1000))


async def _load(db: Database, keys: KeySettings) -> list[SigningKey]:
    return await db.read(load_signing_keys, keys)


async def _rotate(db: Database, rotate: Callable[[Tx], Awaitable[str]]) -> str:
    return await db.transact(_rotate_noted, rotate)


async def _rotate_noted(tx: Tx, rotate: Callable[[Tx], Awaitable[str]]) -> str:
    key_id = await rotate(tx)
    await audit.record(tx, OPERATOR, "key.rotate", key_id)
    return key_id
