"""List tasks, newest first."""

from argparse import ArgumentParser, Namespace
from datetime import datetime, timedelta

from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_board_named, list_tasks


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="?", help="words to look for in title, body and tags")
    parser.add_argument("--status", choices=["todo", "in_progress", "done", "open"], help="open: not done")
    parser.add_argument(
        "--tag", action="append", metavar="TAG", help="only tasks with this tag; repeat it to ask for several"
    )
    parser.add_argument("--board", metavar="BOARD", help="by its name or id")
    parser.add_argument("--mine", action="store_true", help="only tasks assigned to you, by default in every space")
    parser.add_argument("--today", action="store_true", help="only tasks due by the end of today")
    parser.add_argument("--archived", action="store_true", help="only archived tasks")
    parser.add_argument("--trash", action="store_true", help="only tasks in the trash, without other filters")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="at most N, 50 by default; 0 for all")


def run(stow: Stow, given: Namespace) -> None:
    board = get_board_named(stow.client, given.board) if given.board else None
    tomorrow = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    found = list_tasks(
        stow.client, given.limit or None, status=given.status, tags=given.tag, q=given.text,
        board_id=board.id if board else None, archived="only" if given.archived else None,
        trashed="only" if given.trash else None,
        assignee="me" if given.mine else None, space="all" if given.mine and stow.client.space is None else None,
        due_before=int(tomorrow.timestamp() * 1000) if given.today else None,
    )  # fmt: skip
    stow.list(found, ["id", "status", "dueAt", "title", "tags", *stow.space_column])
