"""Commands for several tasks at once: a failure with one does not stop the others."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from stowboard_cli.exits import OK, PARTLY, CommandFailure, failure_of
from stowboard_cli.output.harmless import tell
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import TASK_HELP, get_task_named


def tasks_argument(parser: ArgumentParser) -> None:
    parser.add_argument("tasks", nargs="+", metavar="TASK", help=TASK_HELP)


complete_arguments = archive_arguments = restore_arguments = tasks_argument


def complete(stow: Stow, given: Namespace) -> int:
    """Complete tasks. A repeating task gets its next date instead."""
    return _do_to_each(stow, given, stow.client.tasks.complete, open_first=True)


def archive(stow: Stow, given: Namespace) -> int:
    """Hide tasks from lists. They keep their places on boards."""
    return _do_to_each(stow, given, stow.client.tasks.archive)


def restore(stow: Stow, given: Namespace) -> int:
    """Bring tasks back to where they were, out of the trash or the archive."""
    return _do_to_each(stow, given, stow.client.tasks.restore, put_away=True)


def remove_arguments(parser: ArgumentParser) -> None:
    tasks_argument(parser)
    parser.add_argument("--forever", action="store_true", help="delete for good, past the trash")
    parser.add_argument("--yes", action="store_true", help="do not ask before deleting for good")


def remove(stow: Stow, given: Namespace) -> int:
    """Put tasks in the trash; `stow task restore` brings them back.

    With --forever, delete them for good: it asks first.
    """
    if not given.forever:
        return _do_to_each(stow, given, stow.client.tasks.trash)
    found = [get_task_named(stow.client, name) for name in given.tasks]
    titles = ", ".join(task.title for task in found)
    stow.require_yes(f"Delete {titles} for good?")
    stow.list((stow.client.tasks.delete(task.id) for task in found), ["id", "deleted"])
    return OK


def _do_to_each(stow: Stow, given: Namespace, act: Callable[[str], Any], **named: bool) -> int:
    """`named` says among which tasks a name is looked for, as for `get_task_named`."""
    failures: list[CommandFailure] = []
    for name in given.tasks:
        try:
            task = get_task_named(stow.client, name, **named)
            stow.list([act(task.id)], ["id", "status", "dueAt", "title", "tags"])
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            tell(f"stow: {name}: {failure}")
            failures.append(failure)
    if len(failures) < len(given.tasks):
        return PARTLY if failures else OK
    return failures[0].code
