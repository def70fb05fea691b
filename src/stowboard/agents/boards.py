"""Boards for agents: found by name, shown as Markdown with the cards in their order, and read as resources."""

from typing import Any

import msgspec

from stowboard.access.space_routes import SpaceView, list_spaces
from stowboard.agents.asked import AgentOperations
from stowboard.agents.protocol.methods import ScopesNeeded
from stowboard.agents.shown_tasks import Card, task_line
from stowboard.agents.words import marked, one_line
from stowboard.core.errors import NotFound, ValidationFailed
from stowboard.core.ids import is_id
from stowboard.core.reach import ALL, OWN, OWN_PREFIX, SHARED_PREFIX
from stowboard.tasks.base.task import Status
from stowboard.tasks.boards.board_routes import BoardView, ColumnView, get_board, list_boards
from stowboard.tasks.list_routes import list_tasks

MARKDOWN = "text/markdown"
SCHEME = "stowboard://boards/"
_READ = frozenset({"tasks:read"})
#: Pages of a hundred boards that are searched for a name.
_MOST_PAGES = 5
#: Pages of cards of one status that are read to find the first cards of a column.
_MOST_CARD_PAGES = 5


async def space_named(asking: AgentOperations, name: str | None) -> str | None:
    """The id of the space with this id or name; None for None. Raises ValidationFailed, naming those that exist."""
    if name in (None, OWN, ALL) or name.startswith((SHARED_PREFIX, OWN_PREFIX)):
        return name
    spaces = (await asking.perform(list[SpaceView], list_spaces, query={"limit": 100})).data
    found = [space for space in spaces if one_line(space.name).casefold() == one_line(name).casefold()]
    if len(found) == 1:
        return found[0].id
    said = "Several spaces have this name; use an id" if found else "No space has this name"
    known = "\n".join(f"{space.id} {one_line(space.name)[:60]}" for space in found or spaces)
    raise ValidationFailed(f"space: {said}. There are: {marked(known)}")


async def all_boards(asking: AgentOperations, space_id: str | None = None) -> list[BoardView]:
    """The boards of a space, or of all that the token reaches."""
    found: list[BoardView] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        query = {"limit": 100, "cursor": cursor, "spaceId": space_id or ALL}
        page = await asking.perform(list[BoardView], list_boards, query=query)
        found, cursor = found + page.data, page.meta.next_cursor
        if cursor is None:
            break
    return found


async def board_named(asking: AgentOperations, name: str, space: str | None = None) -> BoardView:
    """The board with this id or name, in this space if one is named. Raises ValidationFailed, which names the existing
    ones.
    """
    if is_id("brd", name):
        return (await asking.perform(BoardView, get_board, name)).data
    boards = await all_boards(asking, await space_named(asking, space))
    found = [board for board in boards if one_line(board.name).casefold() == one_line(name).casefold()]
    if len(found) == 1:
        return found[0]
    said = "Several boards have this name; use an id" if found else "No board has this name"
    known = "\n".join(f"{board.id} {one_line(board.name)[:60]}" for board in (found or boards)[:20])
    raise ValidationFailed(f"board: {said}. There are: {marked(known) if known else 'none; save_board makes one.'}")


def column_named(board: BoardView, name: str) -> ColumnView:
    """The column with this id or name, or the first of this status. Raises ValidationFailed, which names the existing
    ones.
    """
    wanted = one_line(name).casefold()
    for key in ("id", "name", "status"):
        found = [column for column in board.columns if one_line(str(getattr(column, key))).casefold() == wanted]
        if found:
            return found[0]
    known = "\n".join(one_line(column.name)[:60] for column in board.columns)
    raise ValidationFailed(f"column: the board has no {name[:100]!r}. There are: {marked(known)}")


def entry_of(board: BoardView) -> ColumnView:
    """The column that new tasks enter."""
    return next(column for column in board.columns if column.is_entry)


class Cards(msgspec.Struct, frozen=True):
    #: By the id of the column, in the column's order.
    placed: dict[str, list[Card]]
    #: True if there are more cards. Only the first cards of a status are read.
    more: bool


async def cards_of(asking: AgentOperations, board: BoardView) -> Cards:
    placed: dict[str, list[Card]] = {column.id: [] for column in board.columns}
    more = False
    for status in dict.fromkeys(column.status for column in board.columns):
        found, cut = await _of_status(asking, board, status)
        more = more or cut
        for task in found:
            if task.placement is not None and task.placement.column_id in placed:
                placed[task.placement.column_id].append(task)
    for each in placed.values():
        each.sort(key=lambda task: task.placement.rank if task.placement else "")
    return Cards(placed, more)


async def _of_status(asking: AgentOperations, board: BoardView, status: Status) -> tuple[list[Card], bool]:
    """The cards of this status, and True if there are more."""
    found: list[Card] = []
    query: dict[str, Any] = {"boardId": board.id, "status": status, "limit": 100}
    for _ in range(1 if status is Status.DONE else _MOST_CARD_PAGES):
        page = await asking.perform(list[Card], list_tasks, query=query)
        found += page.data
        query["cursor"] = page.meta.next_cursor
        if page.meta.next_cursor is None:
            return found, False
    return found, True


def board_markdown(board: BoardView, cards: Cards, most: int) -> str:
    """A heading for each column, and its first cards."""
    lines = [f"# {one_line(board.name)} ({board.id})", *([board.description] if board.description else [])]
    for column in board.columns:
        placed = cards.placed[column.id]
        lines += ["", f"## {one_line(column.name)} ({column.status}, {len(placed)})"]
        lines += [f"- {task_line(task)}" for task in placed[:most]]
        if len(placed) > most:
            lines.append(f"- … and {len(placed) - most} more")
    if cards.more:
        lines.append("\nThere are older cards that are not counted here; find_tasks finds them.")
    return "\n".join(lines)


class BoardResources:
    """Every board at an address of its own, as Markdown."""

    async def page(self, asking: AgentOperations, cursor: str | None) -> dict[str, Any]:
        _require(asking)
        page = await asking.perform(
            list[BoardView], list_boards, query={"limit": 100, "cursor": cursor, "spaceId": ALL}
        )
        # A person picks a board by its name, so the name has no marks around it; it is one short line.
        resources: list[dict[str, str]] = [
            {"uri": SCHEME + board.id, "name": one_line(board.name)[:60] or board.id,
             "description": marked(one_line(board.name)), "mimeType": MARKDOWN}
            for board in page.data
        ]  # fmt: skip
        follows = {"nextCursor": page.meta.next_cursor} if page.meta.next_cursor else {}
        return {"resources": resources, **follows}

    def templates(self) -> list[dict[str, Any]]:
        return [{
            "uriTemplate": SCHEME + "{id}", "name": "board", "title": "A board",
            "description": "Columns and cards of a board, in their order.", "mimeType": MARKDOWN,
        }]  # fmt: skip

    async def find(self, asking: AgentOperations, uri: str) -> list[dict[str, Any]] | None:
        board_id = uri.removeprefix(SCHEME)
        if not uri.startswith(SCHEME) or not is_id("brd", board_id):
            return None
        _require(asking)
        try:
            board = (await asking.perform(BoardView, get_board, board_id)).data
        except NotFound:
            return None
        text = marked(board_markdown(board, await cards_of(asking, board), most=100))
        return [{"uri": uri, "mimeType": MARKDOWN, "text": text}]


def _require(asking: AgentOperations) -> None:
    if not asking.caller.scopes >= _READ:
        raise ScopesNeeded(_READ)
