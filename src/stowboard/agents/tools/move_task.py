"""Tools that move tasks, and that end them."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from stowboard.agents.asked import AgentOperations
from stowboard.agents.boards import board_named, column_named, entry_of
from stowboard.agents.protocol.tool import Arguments, Tool, ToolResult
from stowboard.agents.shown_tasks import task_result
from stowboard.agents.tools.arguments import NONE, TASKS_WRITE, Key, given
from stowboard.agents.words import write_time
from stowboard.core.errors import ValidationFailed
from stowboard.tasks.base.document import TaskView
from stowboard.tasks.base.task import Status
from stowboard.tasks.boards.board_routes import BoardView, ColumnView
from stowboard.tasks.task_routes import archive_task, complete_task, get_task, move_task, restore_task


class MoveTask(Arguments, frozen=True):
    id: str
    column: Annotated[str, Meta(description="Name, id or status")] | None = None
    board: Annotated[str, Meta(description='Name or id; "none" takes it off')] | None = None
    before: Annotated[str, Meta(description="Task id")] | None = None
    position: Annotated[int, Meta(ge=0, description="From 0")] | None = None


class FinishTask(Arguments, frozen=True):
    id: str
    action: Literal["complete", "archive", "restore"] = "complete"
    key: Key | None = None


async def put_task(asking: AgentOperations, wanted: MoveTask) -> ToolResult:
    task = (await asking.perform(TaskView, get_task, wanted.id)).data
    body: dict[str, Any] = given({"position": wanted.position, "beforeTaskId": wanted.before})
    board_id = task.placement.board_id if task.placement else None
    if wanted.board == NONE:
        body |= {"board": None, "status": _status(wanted.column, task)}
    elif wanted.board or board_id:
        name = wanted.board or str(board_id)
        board = await board_named(asking, name)
        column = column_named(board, wanted.column) if wanted.column else _present(board, task)
        body |= {"board": board.id, "columnId": column.id, "status": column.status}
    else:
        body["status"] = _status(wanted.column, task)
    moved = (await asking.perform(TaskView, move_task, wanted.id, body=body)).data
    return task_result("Moved.", moved)


async def finish_task(asking: AgentOperations, wanted: FinishTask) -> ToolResult:
    run = {"complete": complete_task, "archive": archive_task, "restore": restore_task}[wanted.action]
    task = (await asking.perform(TaskView, run, wanted.id, key=wanted.key)).data
    said = {"complete": "Completed.", "archive": "Archived.", "restore": "Restored."}[wanted.action]
    if wanted.action == "complete" and task.status is not Status.DONE:
        said = f"Completed; it comes back, due {write_time(task.due_at, task.time_zone)}."
    return task_result(said, task)


def _present(board: BoardView, task: TaskView) -> ColumnView:
    """The task's column on this board, or the one that it would enter."""
    here = [column for column in board.columns if task.placement and column.id == task.placement.column_id]
    return here[0] if here else entry_of(board)


def _status(name: str | None, task: TaskView) -> str:
    if name is None:
        return task.status
    if name not in list(Status):
        raise ValidationFailed(f"column: off a board it is a status, {', '.join(Status)}; or name the board too.")
    return name


TOOLS = [
    Tool(
        "move_task",
        "Move a task",
        "Move a task to a column, a board, or a place in its column.",
        MoveTask,
        put_task,
        TASKS_WRITE,
        repeatable=True,
    ),
    Tool(
        "finish_task",
        "Complete, archive or restore a task",
        "Complete a task (a recurring one gets its next date), archive it, or restore it.",
        FinishTask,
        finish_task,
        TASKS_WRITE,
    ),
]
