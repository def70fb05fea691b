"""List what you were told and have not read, newest first; or mark it as read."""

from argparse import ArgumentParser, Namespace
from itertools import islice

from stowboard_cli.output.counted import counted
from stowboard_cli.stow import Stow


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="those that you have read, too")
    parser.add_argument("--read", nargs="*", metavar="ID", help="mark these as read; without an id, all of them")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="at most N, 50 by default; 0 for all")


def run(stow: Stow, given: Namespace) -> None:
    found = stow.client.notifications.list(unread=not given.all)
    if given.read is None:
        stow.list(islice(found, given.limit or None), ["id", "createdAt", "kind", "actor", "title", "spaceId"])
        return
    newest = next(iter(found), None)
    if given.read:
        number = stow.client.notifications.read(ids=given.read).read
    else:
        number = stow.client.notifications.read(until=newest.id).read if newest is not None else 0
    stow.say(f"{counted(number, 'notification')} marked as read.")
