"""Show what was done to accounts, tokens and the installation, oldest first."""

import json
from argparse import ArgumentParser, Namespace

import msgspec

from stowboard.cli.on_database import read_only
from stowboard.cli.running import number_between
from stowboard.cli.times import second_of
from stowboard.core.plain_text import shown_line
from stowboard.events.audit import AuditFilter, AuditRecord, list_entries
from stowboard.settings import Settings


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--actor", metavar="NAME", help="only what this person or owner did")
    parser.add_argument("--action", metavar="ACTION", help="only this action, such as token.create")
    parser.add_argument("--subject", metavar="SUBJECT", help="only what was done to this id or name")
    parser.add_argument(
        "--limit", type=number_between(1, 1_000_000), default=100, metavar="N", help="the newest N; default: 100"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(settings: Settings, given: Namespace) -> None:
    sought = AuditFilter(given.actor, given.action, given.subject)
    for entry in reversed(read_only(settings, list_entries, sought, None, given.limit).items):
        print(_as_json(entry) if given.json else shown_line(_line(entry)))


def _as_json(entry: AuditRecord) -> str:
    """In ASCII: an address or a name that a stranger made up must not steer the terminal."""
    return json.dumps(msgspec.to_builtins(entry), separators=(",", ":"))


def _line(entry: AuditRecord) -> str:
    facts = " ".join(f"{name}={value}" for name, value in entry.data.items())
    refused = "  REFUSED" if entry.outcome == "refused" else ""
    line = f"{second_of(entry.created_at)}  {entry.actor or 'somebody'}  {entry.action}  {entry.subject}"
    return f"{line}{refused}  {facts}".rstrip()
