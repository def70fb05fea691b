"""Tools for boards."""

from typing import Annotated

from msgspec import Meta

from stowboard.agents.asked import AgentOperations
from stowboard.agents.boards import all_boards, board_markdown, board_named, cards_of, space_named
from stowboard.agents.protocol.tool import Arguments, TextContent, Tool, ToolResult
from stowboard.agents.shown_tasks import board_facts, board_line, task_facts
from stowboard.agents.tools.arguments import TASKS_READ, TASKS_WRITE, Board, Limit, Space, StatusName, given
from stowboard.agents.words import marked, noted
from stowboard.core.errors import ValidationFailed
from stowboard.tasks.boards.board_routes import (
    BoardView,
    ColumnView,
    create_board,
    create_column,
    get_board,
    update_board,
)


class ShowBoard(Arguments, frozen=True):
    board: Annotated[str, Meta(description="Name or id; without it, all boards are listed")] | None = None
    space: Space | None = None
    per_column: Limit = 20


class SaveBoard(Arguments, frozen=True):
    board: Annotated[Board, Meta(description="Name or id of the one to change")] | None = None
    name: str | None = None
    description: str | None = None
    space: Annotated[Space, Meta(description="Of a new board: name or id")] | None = None
    column: Annotated[str, Meta(description="Name of a column to add")] | None = None
    column_status: StatusName = "in_progress"


async def show_board(asking: AgentOperations, wanted: ShowBoard) -> ToolResult:
    if not wanted.board:
        boards = await all_boards(asking, await space_named(asking, wanted.space))
        text = marked("\n".join(map(board_line, boards))) if boards else "There are no boards; save_board makes one."
        return ToolResult([TextContent(text)], noted({"boards": [board_facts(board) for board in boards]}))
    board = await board_named(asking, wanted.board, wanted.space)
    cards = await cards_of(asking, board)
    facts = board_facts(board)
    for column in facts["columns"]:
        placed = cards.placed[column["id"]]
        column |= {"count": len(placed), "tasks": [task_facts(task) for task in placed[: wanted.per_column]]}
    facts |= {"more": True} if cards.more else {}
    return ToolResult([TextContent(marked(board_markdown(board, cards, wanted.per_column)))], noted({"board": facts}))


async def save_board(asking: AgentOperations, wanted: SaveBoard) -> ToolResult:
    members = given({"name": wanted.name, "description": wanted.description})
    if wanted.board:
        board, said = await board_named(asking, wanted.board), "Saved."
        if members:
            board = (await asking.perform(BoardView, update_board, board.id, body=members)).data
    else:
        if not wanted.name:
            raise ValidationFailed("name is required for a new board; to change one, give board.")
        members |= given({"spaceId": await space_named(asking, wanted.space)})
        board, said = (await asking.perform(BoardView, create_board, body=members)).data, "Created."
    if wanted.column:
        column = {"name": wanted.column, "status": wanted.column_status}
        await asking.perform(ColumnView, create_column, board.id, body=column)
        board = (await asking.perform(BoardView, get_board, board.id)).data
    return ToolResult([TextContent(f"{said}\n{marked(board_line(board))}")], noted({"board": board_facts(board)}))


TOOLS = [
    Tool(
        "show_board", "Show a board", "Show columns and cards of a board in order, or list all boards.",
        ShowBoard, show_board, TASKS_READ, reads=True,
    ),
    Tool(
        "save_board", "Create or change a board",
        "Create a board with To do, In progress and Done; rename one; add a column.",
        SaveBoard, save_board, TASKS_WRITE,
    ),
]  # fmt: skip
