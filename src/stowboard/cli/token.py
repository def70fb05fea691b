"""`stowboard token`: access tokens, without a server."""

import re
from argparse import ArgumentParser, Namespace

from stowboard.access import tokens
from stowboard.access.endings import revoke_token
from stowboard.access.scopes import SCOPES
from stowboard.access.signing_keys import KeySettings, load_digest_key
from stowboard.access.tokens import NewToken, Token
from stowboard.cli.exits import USAGE, fail
from stowboard.cli.on_database import in_transaction, read_only
from stowboard.cli.times import minute_of
from stowboard.core.caller import TokenKind
from stowboard.core.errors import Conflict, NotFound, ValidationFailed
from stowboard.core.plain_text import shown_line
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.ports import TaskOwners
from stowboard.settings import Settings

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_MOST_SHOWN = 1000


def create_token_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--owner", required=True, help="whose tasks the token acts on")
    parser.add_argument("--admin", action="store_true", help="add the scope admin")
    parser.add_argument("--namespace", metavar="APP", help="the app that the token belongs to")
    parser.add_argument("--scopes", metavar="A,B", help="comma-separated; default: all but admin and spaces:manage")
    parser.add_argument("--interactive", action="store_true", help="for a person's own client")
    parser.add_argument("--expires-in", metavar="TIME", help="such as 90d, 12h or 30m; default: never")
    parser.add_argument("--name", default="", help="a note to recognise it by")


def create_token(settings: Settings, given: Namespace) -> None:
    """Make an access token.

    The last line of the output is the token alone; it cannot be shown again.
    """
    try:
        new = NewToken(
            owner=given.owner,
            scopes=SCOPES.granted(given.scopes.split(",") if given.scopes is not None else None, given.admin),
            namespace=given.namespace,
            kind=TokenKind.INTERACTIVE if given.interactive else TokenKind.AUTOMATION,
            name=given.name,
            expires_in=_seconds(given.expires_in) if given.expires_in is not None else None,
        )
        new.validate()
    except ValidationFailed as problem:
        fail(problem.message, USAGE)
    secret = tokens.make_secret()
    try:
        token = in_transaction(settings, _create, settings.keys, new, secret)
    except Conflict as problem:
        fail(problem.message)
    print(f"{token.id} for {token.owner}: {' '.join(token.scopes)}. Keep it safe, it is shown this once:")
    print(secret)


async def _create(tx: Tx, keys: KeySettings, new: NewToken, secret: str) -> Token:
    await tokens.check_role(tx, new)
    token = await tokens.create_token(tx, await load_digest_key(tx, keys), new, secret)
    facts = {"owner": token.owner, "scopes": token.scopes, "namespace": token.namespace}
    await audit.record(tx, OPERATOR, "token.create", token.id, data=facts)
    await tokens.tell_owner(tx, token.owner, token.id, "")
    return token


def _seconds(text: str) -> int:
    match = re.fullmatch(r"(\d{1,9})([smhdw])", text)
    if not match:
        fail(f"--expires-in {text} is not a time such as 90d, 12h or 30m.", USAGE)
    return int(match[1]) * _UNITS[match[2]]


def list_live_tokens(settings: Settings, _: Namespace) -> None:
    """List the live tokens, newest first."""
    for token in read_only(settings, tokens.list_tokens, None, _MOST_SHOWN).items:
        until = "never ends" if token.expires_at is None else f"until {minute_of(token.expires_at)}"
        note = f"  {token.name}" if token.name else ""
        print(shown_line(f"{token.id}  {token.owner}  {token.kind}  {' '.join(token.scopes)}  {until}{note}"))


def revoke_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("token_id", metavar="TOKEN_ID", help="tok_…, as `stowboard token list` shows it")


def revoke(settings: Settings, given: Namespace) -> None:
    """Revoke a token. It stops working within a second, in running servers too."""
    try:
        in_transaction(settings, _revoke, given.token_id)
    except NotFound:
        fail(f"there is no live token {given.token_id}. See: stowboard token list.")
    print(f"{given.token_id} is revoked.")


async def _revoke(tx: Tx, token_id: str) -> None:
    await revoke_token(tx, TaskOwners(), token_id)
    await audit.record(tx, OPERATOR, "token.revoke", token_id)
