"""Put tasks in the trash; `stow task restore` brings them back. With --forever, delete them for good: it asks first."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.exits import OK
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.each import do_to_each
from stowboard_cli.tasks.named import get_task_named


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("tasks", nargs="+", metavar="TASK", help="its id, or a part of its title that no other has")
    parser.add_argument("--forever", action="store_true", help="delete for good, past the trash")
    parser.add_argument("--yes", action="store_true", help="do not ask before deleting for good")


def run(stow: Stow, given: Namespace) -> int:
    if not given.forever:
        return do_to_each(stow, given.tasks, stow.client.tasks.trash)
    found = [get_task_named(stow.client, name) for name in given.tasks]
    titles = ", ".join(task.title for task in found)
    stow.require_yes(f"Delete {titles} for good?")
    stow.list((stow.client.tasks.delete(task.id) for task in found), ["id", "deleted"])
    return OK
