"""Delete tasks for good. It asks first, unless you say --yes."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_task_named


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("tasks", nargs="+", metavar="TASK", help="its id, or a part of its title that no other has")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(stow: Stow, given: Namespace) -> None:
    found = [get_task_named(stow.client, name) for name in given.tasks]
    titles = ", ".join(task.title for task in found)
    stow.require_yes(f"Delete {titles} for good?")
    stow.list((stow.client.tasks.delete(task.id) for task in found), ["id", "deleted"])
