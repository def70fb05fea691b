"""Move a task to a status, a board, or a place among others."""

from argparse import ArgumentParser, Namespace
from typing import Any

from msgspec import UNSET

from stowboard_cli.exits import NOT_FOUND, CommandFailure
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_board_named, get_task_named, task_argument
from stowboard_client import Board, Column


def run_arguments(parser: ArgumentParser) -> None:
    task_argument(parser)
    parser.add_argument("--status", choices=["todo", "in_progress", "done"])
    parser.add_argument("--board", metavar="BOARD", help="by its name or id; - takes it off its board")
    parser.add_argument("--column", metavar="COLUMN", help="by its name or id")
    parser.add_argument("--position", type=int, metavar="N", help="place in the column, counted from 0")
    parser.add_argument("--before", metavar="TASK", help="directly before this task")
    parser.add_argument("--after", metavar="TASK", help="directly after this task")


def run(stow: Stow, given: Namespace) -> None:
    client = stow.client
    task = get_task_named(client, given.task)
    board = _board(stow, given, task.placement.board_id if task.placement else None)
    column = _column(board, given.column) if board and given.column else None
    status: Any = column.status if column else given.status or task.status
    stow.show(
        client.tasks.move(
            task.id,
            status,
            board=None if given.board == "-" else board.id if board else UNSET,
            column_id=column.id if column else None,
            position=given.position,
            before_task_id=get_task_named(client, given.before).id if given.before else None,
            after_task_id=get_task_named(client, given.after).id if given.after else None,
        )
    )


def _board(stow: Stow, given: Namespace, own: str | None) -> Board | None:
    if given.board and given.board != "-":
        return get_board_named(stow.client, given.board)
    return stow.client.boards.get(own) if given.column and own else None


def _column(board: Board, name: str) -> Column:
    found = [one for one in board.columns if one.id == name or one.name.casefold() == name.casefold()]
    if len(found) != 1:
        names = ", ".join(one.name for one in board.columns)
        raise CommandFailure(NOT_FOUND, f"{board.name} has no column {name!r}; it has {names}.")
    return found[0]
