"""Commands for the parts of a task: assignees, checklist and comments."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.exits import INVALID, NOT_FOUND, CommandFailure
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import TASK_HELP, get_task_named, task_argument
from stowboard_client import ChecklistItem, Task

_ITEM_COLUMNS = ["id", "done", "title", "doneBy"]


def assign_arguments(parser: ArgumentParser) -> None:
    task_argument(parser)
    parser.add_argument("names", nargs="*", metavar="NAME", help="usernames")
    parser.add_argument("--only", action="store_true", help="nobody else; without a name, nobody")


def assign(stow: Stow, given: Namespace) -> None:
    """Assign a task to members of its space, beside its present assignees. --only removes all others."""
    task = get_task_named(stow.client, given.task)
    names = given.names if given.only else [*task.assignees, *given.names]
    changed = stow.client.tasks.update(task.id, assignees=names, if_match=task.version)
    stow.list([changed], ["id", "status", "assignees", "title"])


def comment_arguments(parser: ArgumentParser) -> None:
    task_argument(parser)
    parser.add_argument("text", nargs="?", metavar="TEXT", help="@name mentions a member of the space")


def comment(stow: Stow, given: Namespace) -> None:
    """Comment on a task, in Markdown. Without a text, the comments are shown, newest first."""
    task, comments = get_task_named(stow.client, given.task), stow.client.comments
    found = comments.list(task.id) if given.text is None else [comments.create(task.id, given.text)]
    stow.list(found, ["id", "createdAt", "author", "body"])


def check_arguments(parser: ArgumentParser) -> None:
    task_argument(parser)
    parser.add_argument("item", nargs="?", metavar="ITEM", help=TASK_HELP)
    parser.add_argument("--add", action="store_true", help="add ITEM to the checklist")
    parser.add_argument("--undo", action="store_true", help="take the tick off")


def check(stow: Stow, given: Namespace) -> None:
    """Tick an item of a task's checklist, or add one.

    Without an item, the checklist is shown.
    """
    task = get_task_named(stow.client, given.task)
    if given.item is None:
        stow.list(task.checklist, _ITEM_COLUMNS)
    elif given.add:
        stow.list([stow.client.tasks.add_item(task.id, given.item)], _ITEM_COLUMNS)
    else:
        item = _item_named(task, given.item)
        stow.list([stow.client.tasks.update_item(task.id, item.id, done=not given.undo)], _ITEM_COLUMNS)


def _item_named(task: Task, text: str) -> ChecklistItem:
    exact = [item for item in task.checklist if text == item.id or text.casefold() == item.title.casefold()]
    found = exact or [item for item in task.checklist if text.casefold() in item.title.casefold()]
    if not found:
        raise CommandFailure(NOT_FOUND, f"{task.title} has no item {text!r}. Add it with --add.")
    if len(found) > 1:
        names = "\n".join(f"  {item.id}  {item.title}" for item in found)
        raise CommandFailure(INVALID, f"{text!r} could be several items; name one by its id:\n{names}")
    return found[0]
