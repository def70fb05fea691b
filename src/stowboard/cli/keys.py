"""`stowboard keys`: the keys that sign cursors and URLs, and the one that digests tokens."""

from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable

from stowboard.access.signing_keys import load_signing_keys, rotate_digest_key, rotate_signing_key
from stowboard.cli.exits import fail
from stowboard.cli.on_database import in_transaction, read_only
from stowboard.cli.times import minute_of
from stowboard.core.errors import Conflict
from stowboard.core.signing import SETTLING_MS
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings


def rotate_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--digest", action="store_true", help="rotate the key that digests stored tokens instead")


def rotate(settings: Settings, given: Namespace) -> None:
    """Add a signing key.

    It signs after a minute. What the key before it signed stays valid until the next rotation.
    """
    if given.digest:
        _rotate_digest(settings)
        return
    if settings.keys.signing_keys:
        fail("the keys are in STOWBOARD_SIGNING_KEYS: put a new one in front there and drop the last.")
    key_id = in_transaction(settings, _rotate, rotate_signing_key)
    print(f"{key_id} signs from {SETTLING_MS // 1000} seconds on; the key before it still verifies.")


def _rotate_digest(settings: Settings) -> None:
    if settings.keys.digest_keys:
        fail("the keys are in STOWBOARD_DIGEST_KEY: put a new one in front there and drop the last.")
    try:
        key_id = in_transaction(settings, _rotate, rotate_digest_key)
    except Conflict as problem:
        fail(problem.message)
    print(f"{key_id} makes digests from {SETTLING_MS // 1000} seconds on.")
    print("Tokens, clients and sessions that are used before the next rotation stay; the others end with it.")


async def _rotate(tx: Tx, rotate: Callable[[Tx], Awaitable[str]]) -> str:
    key_id = await rotate(tx)
    await audit.record(tx, OPERATOR, "key.rotate", key_id)
    return key_id


def list_keys(settings: Settings, _: Namespace) -> None:
    """List the live signing keys, without their secrets."""
    for key in read_only(settings, load_signing_keys, settings.keys):
        fixed = settings.keys.signing_keys
        print(f"{key.id}  {'of STOWBOARD_SIGNING_KEYS' if fixed else f'since {minute_of(key.created_at)}'}")
