"""Tick an item of a task's checklist, or add one.

Without an item, the checklist is shown.
"""

from argparse import ArgumentParser, Namespace

from stowboard_cli.exits import INVALID, NOT_FOUND, CommandFailure
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_task_named, task_argument
from stowboard_client import ChecklistItem, Task

_COLUMNS = ["id", "done", "title", "doneBy"]


def run_arguments(parser: ArgumentParser) -> None:
    task_argument(parser)
    parser.add_argument("item", nargs="?", metavar="ITEM", help="its id, or a part of its title that no other has")
    parser.add_argument("--add", action="store_true", help="add ITEM to the checklist")
    parser.add_argument("--undo", action="store_true", help="take the tick off")


def run(stow: Stow, given: Namespace) -> None:
    task = get_task_named(stow.client, given.task)
    if given.item is None:
        stow.list(task.checklist, _COLUMNS)
    elif given.add:
        stow.list([stow.client.tasks.add_item(task.id, given.item)], _COLUMNS)
    else:
        item = _item_named(task, given.item)
        stow.list([stow.client.tasks.update_item(task.id, item.id, done=not given.undo)], _COLUMNS)


def _item_named(task: Task, text: str) -> ChecklistItem:
    exact = [item for item in task.checklist if text == item.id or text.casefold() == item.title.casefold()]
    found = exact or [item for item in task.checklist if text.casefold() in item.title.casefold()]
    if not found:
        raise CommandFailure(NOT_FOUND, f"{task.title} has no item {text!r}. Add it with --add.")
    if len(found) > 1:
        names = "\n".join(f"  {item.id}  {item.title}" for item in found)
        raise CommandFailure(INVALID, f"{text!r} could be several items; name one by its id:\n{names}")
    return found[0]
