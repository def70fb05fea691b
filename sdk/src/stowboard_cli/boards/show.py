"""Show a board, column beside column. In a pipe its tasks are listed in order, unless --table is given."""

import sys
from argparse import ArgumentParser, Namespace

from stowboard_cli.boards.picture import picture
from stowboard_cli.output.table import page_width
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import board_argument, get_board_named, list_tasks
from stowboard_client import Board, Task, errors

#: The width of a picture in a pipe or a file.
_WIDEST = 200
_CLEAR = "\x1b[H\x1b[2J"


def run_arguments(parser: ArgumentParser) -> None:
    board_argument(parser)
    parser.add_argument("--watch", action="store_true", help="redraw it whenever it changes")


def run(stow: Stow, given: Namespace) -> None:
    board = get_board_named(stow.client, given.board)
    if not given.watch:
        _draw(stow, board)
        return
    # The feed's position before the first picture: no event is missed between it and the stream.
    events, space = stow.client.events, board.space_id
    cursor = events.list(space=space, limit=1).page().meta.next_cursor
    _draw(stow, board, clear=True)
    try:
        for _ in events.follow(cursor=cursor, types=["task.*", "board.*"], space=space):
            board = stow.client.boards.get(board.id)
            _draw(stow, board, clear=True)
    except errors.NotFound:
        stow.say("The board was deleted.")


def _draw(stow: Stow, board: Board, clear: bool = False) -> None:
    columns = _columns(stow, board)
    if not stow.printer.as_table:
        stow.list([task for column in columns for task in column], ["id"])
        return
    lines = picture(board, columns, min(page_width(), _WIDEST))
    sys.stdout.write((_CLEAR if clear else "") + "\n".join(lines) + "\n")
    sys.stdout.flush()


def _columns(stow: Stow, board: Board) -> list[list[Task]]:
    tasks = list_tasks(stow.client, board_id=board.id)
    columns: dict[str, list[Task]] = {column.id: [] for column in board.columns}
    for task in tasks:
        if task.placement is not None and task.placement.column_id in columns:
            columns[task.placement.column_id].append(task)
    return [sorted(column, key=_rank) for column in columns.values()]


def _rank(task: Task) -> str:
    assert task.placement is not None
    return task.placement.rank
