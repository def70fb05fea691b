"""Assign a task to members of its space, beside those that it has. --only takes all others off."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_task_named, task_argument


def run_arguments(parser: ArgumentParser) -> None:
    task_argument(parser)
    parser.add_argument("names", nargs="*", metavar="NAME", help="usernames")
    parser.add_argument("--only", action="store_true", help="nobody else; without a name, nobody")


def run(stow: Stow, given: Namespace) -> None:
    task = get_task_named(stow.client, given.task)
    names = given.names if given.only else [*task.assignees, *given.names]
    changed = stow.client.tasks.update(task.id, assignees=names, if_match=task.version)
    stow.list([changed], ["id", "status", "assignees", "title"])
