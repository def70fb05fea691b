"""`stowboard audit`: what was done to accounts, tokens and the installation."""

import time

import msgspec
import typer

from stowboard.cli.on_database import on_database
from stowboard.db.database import Database
from stowboard.events.audit import Entry, Sought, list_entries
from stowboard.settings import Settings


def show(
    settings: Settings, actor: str | None, action: str | None, subject: str | None, limit: int, as_json: bool
) -> None:
    for entry in reversed(on_database(settings, _list, Sought(actor, action, subject), limit)):
        typer.echo(msgspec.json.encode(entry).decode() if as_json else _line(entry))


async def _list(db: Database, sought: Sought, limit: int) -> list[Entry]:
    return (await db.read(list_entries, sought, None, limit)).items


def _line(entry: Entry) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(entry.created_at / 1000))
    facts = " ".join(f"{name}={value}" for name, value in entry.data.items())
    refused = "  REFUSED" if entry.outcome == "refused" else ""
    return f"{when}  {entry.actor or 'somebody'}  {entry.action}  {entry.subject}{refused}  {facts}".rstrip()
