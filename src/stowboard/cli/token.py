"""`stowboard token`: tokens without a server."""

import re
import time

import typer

from stowboard.access import tokens
from stowboard.access.scopes import SCOPES
from stowboard.access.signing_keys import KeySettings, load_digest_key
from stowboard.access.tokens import NewToken, Token
from stowboard.cli.on_database import fail, on_database
from stowboard.core.caller import TokenKind
from stowboard.core.errors import Conflict, NotFound, ValidationFailed
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_MOST_SHOWN = 1000


def create(
    settings: Settings,
    owner: str,
    admin: bool,
    namespace: str | None,
    scopes: str | None,
    interactive: bool,
    expires_in: str | None,
    name: str,
) -> None:
    try:
        new = NewToken(
            owner=owner,
            scopes=SCOPES.granted(scopes.split(",") if scopes is not None else None, admin),
            namespace=namespace,
            kind=TokenKind.INTERACTIVE if interactive else TokenKind.AUTOMATION,
            name=name,
            expires_in=_seconds(expires_in) if expires_in is not None else None,
        )
        new.validate()
    except ValidationFailed as problem:
        fail(problem.message, code=2)
    secret = tokens.make_secret()
    try:
        token = on_database(settings, _create, settings.keys, new, secret)
    except Conflict as problem:
        fail(problem.message)
    typer.echo(f"{token.id} for {token.owner}: {' '.join(token.scopes)}. Keep it safe, it is shown this once:")
    typer.echo(secret)


def show_all(settings: Settings) -> None:
    for token in on_database(settings, _list):
        until = "never ends" if token.expires_at is None else f"until {_date(token.expires_at)}"
        note = f"  {token.name}" if token.name else ""
        typer.echo(f"{token.id}  {token.owner}  {token.kind}  {' '.join(token.scopes)}  {until}{note}")


def revoke(settings: Settings, token_id: str) -> None:
    try:
        on_database(settings, _revoke, token_id)
    except NotFound:
        fail(f"there is no live token {token_id}; `stowboard token list` shows those that there are.")
    typer.echo(f"{token_id} is revoked.")


async def _create(db: Database, keys: KeySettings, new: NewToken, secret: str) -> Token:
    key = await db.read(load_digest_key, keys)
    return await db.transact(_create_noted, key, new, secret)


async def _list(db: Database) -> list[Token]:
    return (await db.read(tokens.list_tokens, None, _MOST_SHOWN)).items


async def _revoke(db: Database, token_id: str) -> None:
    await db.transact(_revoke_noted, token_id)


async def _create_noted(tx: Tx, key: DigestKey, new: NewToken, secret: str) -> Token:
    await tokens.check_role(tx, new)
    token = await tokens.create_token(tx, key, new, secret)
    facts = {"owner": token.owner, "scopes": token.scopes, "namespace": token.namespace}
    await audit.record(tx, OPERATOR, "token.create", token.id, data=facts)
    return token


async def _revoke_noted(tx: Tx, token_id: str) -> None:
    await tokens.revoke_token(tx, token_id)
    await audit.record(tx, OPERATOR, "token.revoke", token_id)


def _seconds(text: str) -> int:
    match = re.fullmatch(r"(\d{1,9})([smhdw])", text)
    if not match:
        fail(f"--expires-in {text} is not a time such as 90d, 12h or 30m.", code=2)
    return int(match[1]) * _UNITS[match[2]]


def _date(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at_ms / 1000))
