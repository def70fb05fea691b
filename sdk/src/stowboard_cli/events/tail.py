"""Print events as they happen, until Ctrl-C. --from-start begins with the oldest that are kept."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from itertools import islice

from stowboard_cli.stow import Stow
from stowboard_client import Event


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--types", metavar="A,B", default="", help="only these, such as task.completed or media.*")
    parser.add_argument("--subject", metavar="ID", help="only about this task, board or asset")
    parser.add_argument("--from-start", action="store_true", help="begin with the oldest events that are kept")
    parser.add_argument("--cursor", help="begin after this cursor")
    parser.add_argument("--limit", type=int, metavar="N", help="end after N events")


def run(stow: Stow, given: Namespace) -> None:
    for event in islice(_events(stow, given), given.limit):
        if stow.printer.as_table:
            stow.printer.text(f"{event.timestamp}  {event.type:<22}  {event.subject}")
        else:
            stow.show(event)


def _events(stow: Stow, given: Namespace) -> Iterator[Event]:
    types = [name for name in given.types.split(",") if name]
    cursor = given.cursor
    if given.from_start and cursor is None:
        for page in stow.client.events.list(from_start=True, types=types, subject=given.subject).pages():
            yield from page.items
            cursor = page.meta.next_cursor
    yield from stow.client.events.follow(cursor=cursor, types=types, subject=given.subject)
