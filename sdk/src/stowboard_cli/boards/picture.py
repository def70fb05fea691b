"""A board as it looks: columns side by side, cards below each other."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from stowboard_cli.output.harmless import harmless
from stowboard_cli.output.table import bold, cut, padded, when
from stowboard_client import Board, Task

_NARROWEST = 16
_GAP = "   "


def picture(board: Board, columns: Sequence[Sequence[Task]], width: int) -> Iterator[str]:
    """The board as lines that fit the width. Columns that do not fit beside each other are put below each other."""
    yield bold(cut(harmless(board.name), width))
    each = (width - len(_GAP) * (len(columns) - 1)) // max(1, len(columns))
    if each < _NARROWEST:
        for column, tasks in zip(board.columns, columns, strict=True):
            yield from ("", *_column(column.name, tasks, width))
        return
    drawn = [_column(column.name, tasks, each) for column, tasks in zip(board.columns, columns, strict=True)]
    for cells in zip_longest(*drawn, fillvalue=""):
        yield _GAP.join(padded(cell, each) for cell in cells).rstrip()


def _column(name: str, tasks: Sequence[Task], width: int) -> list[str]:
    lines = [cut(f"{harmless(name)} ({len(tasks)})", width), "─" * width]
    for task in tasks:
        lines.append(cut(harmless(task.title), width))
        more = [task.due_on or when(task.due_at)] if task.due_at is not None else []
        more += [f"#{tag}" for tag in task.tags]
        if more:
            lines.append(cut(f"  {harmless(' '.join(more))}", width))
    return lines
