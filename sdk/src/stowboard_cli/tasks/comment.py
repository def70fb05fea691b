"""Comment on a task, in Markdown. Without a text, the comments are shown, newest first."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_task_named, task_argument


def run_arguments(parser: ArgumentParser) -> None:
    task_argument(parser)
    parser.add_argument("text", nargs="?", metavar="TEXT", help="@name mentions a member of the space")


def run(stow: Stow, given: Namespace) -> None:
    task, comments = get_task_named(stow.client, given.task), stow.client.comments
    found = comments.list(task.id) if given.text is None else [comments.create(task.id, given.text)]
    stow.list(found, ["id", "createdAt", "author", "body"])
