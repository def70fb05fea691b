"""Comment on a task, in Markdown. Without a text, the comments are shown, newest first."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_task_named


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("task", metavar="TASK", help="its id, or a part of its title that no other has")
    parser.add_argument("text", nargs="?", metavar="TEXT", help="@name mentions a member of the space")


def run(stow: Stow, given: Namespace) -> None:
    task, comments = get_task_named(stow.client, given.task), stow.client.comments
    found = comments.list(task.id) if given.text is None else [comments.create(task.id, given.text)]
    stow.list(found, ["id", "createdAt", "author", "body"])
