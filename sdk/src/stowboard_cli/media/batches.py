"""Commands that change many assets and videos: their ids go in groups, each as large as one request takes."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Protocol

from stowboard_cli.exits import NOT_FOUND, OK, PARTLY, USAGE, CommandFailure
from stowboard_cli.output.counted import counted
from stowboard_cli.stow import Stow

_MOST = 100


class BatchAnswer(Protocol):
    @property
    def missing(self) -> tuple[str, ...]: ...


def batches(ids: Sequence[str]) -> Iterator[list[str]]:
    once = list(dict.fromkeys(ids))
    for start in range(0, len(once), _MOST):
        yield once[start : start + _MOST]


def tag_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--add", action="append", default=[], metavar="TAG")
    parser.add_argument("--remove", action="append", default=[], metavar="TAG")


def tag(stow: Stow, given: Namespace) -> int:
    """Add tags to assets and videos, or remove them: stow tag ID… --add holiday --remove draft"""
    if not given.add and not given.remove:
        raise CommandFailure(USAGE, "Which tags? --add TAG, --remove TAG")
    missing: set[str] = set()
    for ids in batches(given.ids):
        if given.add:
            missing |= set(stow.client.assets.batch_tags("add", ids, given.add).missing)
        if given.remove:
            missing |= set(stow.client.assets.batch_tags("remove", ids, given.remove).missing)
    for each in sorted(missing):
        stow.say(f"There is no {each}.")
    return _report(stow, "tagged", set(given.ids), sorted(missing))


def remove_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--forever", action="store_true", help="delete for good, also out of the trash")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def remove(stow: Stow, given: Namespace) -> int:
    """Put assets and videos into the trash.

    With --forever, delete them for good; it asks first, unless you say --yes.
    """
    ids, client = list(dict.fromkeys(given.ids)), stow.client
    if not given.forever:
        return _change(stow, ids, "trashed", client.assets.batch_trash)
    stow.require_yes(f"Delete {ids[0] if len(ids) == 1 else counted(len(ids), 'item')} for good?")
    return _change(stow, ids, "deleted", client.assets.batch_delete)


def restore_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")


def restore(stow: Stow, given: Namespace) -> int:
    """Restore assets and videos from the trash."""
    ids, client = list(dict.fromkeys(given.ids)), stow.client
    return _change(stow, ids, "restored", client.assets.batch_restore)


def _change(stow: Stow, ids: Sequence[str], done: str, change: Callable[[Sequence[str]], BatchAnswer]) -> int:
    missing = [each for some in batches(ids) for each in change(some).missing]
    for each in missing:
        stow.say(f"There is no {each}.")
    return _report(stow, done, ids, missing)


def _report(stow: Stow, done: str, ids: Collection[str], missing: Sequence[str]) -> int:
    """Print how many were `done`, and those that are missing. Returns the exit code."""
    stow.show({done: len(ids) - len(missing), "missing": missing})
    if missing and len(missing) == len(ids):
        return NOT_FOUND
    return PARTLY if missing else OK
