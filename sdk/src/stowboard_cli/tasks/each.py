"""One command for several tasks: a failure with one does not stop the others."""

from collections.abc import Callable, Sequence
from typing import Any

from stowboard_cli.exits import OK, PARTLY, CommandFailure, failure_of
from stowboard_cli.output.harmless import tell
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_task_named


def do_to_each(stow: Stow, names: Sequence[str], act: Callable[[str], Any], **named: bool) -> int:
    """`named` says among which tasks a name is looked for, as for `get_task_named`."""
    failures: list[CommandFailure] = []
    for name in names:
        try:
            task = get_task_named(stow.client, name, **named)
            stow.list([act(task.id)], ["id", "status", "dueAt", "title", "tags"])
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            tell(f"stow: {name}: {failure}")
            failures.append(failure)
    if len(failures) < len(names):
        return PARTLY if failures else OK
    return failures[0].code
