"""Make an access token.

The last line of the output is the token alone; it cannot be shown again.
"""

import re
from argparse import ArgumentParser, Namespace

from stowboard.access import tokens
from stowboard.access.scopes import SCOPES
from stowboard.access.signing_keys import KeySettings, load_digest_key
from stowboard.access.tokens import NewToken, Token
from stowboard.cli.exits import USAGE, fail
from stowboard.cli.on_database import in_transaction
from stowboard.core.caller import TokenKind
from stowboard.core.errors import Conflict, ValidationFailed
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--owner", required=True, help="whose tasks the token acts on")
    parser.add_argument("--admin", action="store_true", help="add the scope admin")
    parser.add_argument("--namespace", metavar="APP", help="the app that the token belongs to")
    parser.add_argument("--scopes", metavar="A,B", help="comma-separated; default: every scope but admin")
    parser.add_argument("--interactive", action="store_true", help="for a person's own client")
    parser.add_argument("--expires-in", metavar="TIME", help="such as 90d, 12h or 30m; default: never")
    parser.add_argument("--name", default="", help="a note to recognise it by")


def run(settings: Settings, given: Namespace) -> None:
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
    return token


def _seconds(text: str) -> int:
    match = re.fullmatch(r"(\d{1,9})([smhdw])", text)
    if not match:
        fail(f"--expires-in {text} is not a time such as 90d, 12h or 30m.", USAGE)
    return int(match[1]) * _UNITS[match[2]]
