"""Revoke a token. It stops working within a second, in running servers too."""

from argparse import ArgumentParser, Namespace

from stowboard.access import tokens
from stowboard.cli.exits import fail
from stowboard.cli.on_database import in_transaction
from stowboard.core.errors import NotFound
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("token_id", metavar="TOKEN_ID", help="tok_…, as `stowboard token list` shows it")


def run(settings: Settings, given: Namespace) -> None:
    try:
        in_transaction(settings, _revoke, given.token_id)
    except NotFound:
        fail(f"there is no live token {given.token_id}. See: stowboard token list.")
    print(f"{given.token_id} is revoked.")


async def _revoke(tx: Tx, token_id: str) -> None:
    await tokens.revoke_token(tx, token_id)
    await audit.record(tx, OPERATOR, "token.revoke", token_id)
