"""Bring tasks back to where they were, out of the trash or the archive."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow
from stowboard_cli.tasks.each import do_to_each


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("tasks", nargs="+", metavar="TASK", help="its id, or a part of its title that no other has")


def run(stow: Stow, given: Namespace) -> int:
    return do_to_each(stow, given.tasks, stow.client.tasks.restore, put_away=True)
