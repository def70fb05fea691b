"""Tools that create tasks and change them, put them on a board, move them and end them."""

from collections.abc import Sequence
from datetime import tzinfo
from typing import Annotated, Any, Literal

from msgspec import Meta

from stowboard.agents.asked import AgentOperations
from stowboard.agents.boards import board_named, column_named, entry_of, space_named
from stowboard.agents.protocol.tool import Arguments, Tool, ToolResult
from stowboard.agents.shown_tasks import TICKED, due_of, task_result
from stowboard.agents.tools.arguments import NONE, TASKS_WRITE, Board, Key, Space, StatusName, given
from stowboard.agents.words import is_day, read_time, zone_of
from stowboard.core.errors import ValidationFailed
from stowboard.tasks.base.document import TaskView
from stowboard.tasks.base.task import ChecklistItem, Status
from stowboard.tasks.boards.board_routes import BoardView, ColumnView, get_board
from stowboard.tasks.comment_routes import CommentView, add_comment
from stowboard.tasks.task_routes import (
    archive_task,
    complete_task,
    create_task,
    get_task,
    move_task,
    restore_task,
    trash_task,
    update_task,
)

Clearable = Annotated[str, Meta(description='ISO 8601; "none" clears')]


class MoveTask(Arguments, frozen=True):
    id: str
    column: Annotated[str, Meta(description="Name, id or status")] | None = None
    board: Annotated[str, Meta(description='Name or id; "none" takes it off')] | None = None
    before: Annotated[str, Meta(description="Task id")] | None = None
    position: Annotated[int, Meta(ge=0, description="From 0")] | None = None


class FinishTask(Arguments, frozen=True):
    id: str
    action: Literal["complete", "archive", "trash", "restore"] = "complete"
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
    run, said = _ENDINGS[wanted.action]
    task = (await asking.perform(TaskView, run, wanted.id, key=wanted.key)).data
    if wanted.action == "complete" and task.status is not Status.DONE:
        said = f"Completed; it comes back, due {due_of(task)}."
    return task_result(said, task)


_ENDINGS = {
    "complete": (complete_task, "Completed."),
    "archive": (archive_task, "Archived."),
    "trash": (trash_task, "In the trash."),
    "restore": (restore_task, "Restored."),
}


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


class SaveTask(Arguments, frozen=True):
    id: Annotated[str, Meta(description="Of the task to change; without it one is made")] | None = None
    title: str | None = None
    body: Annotated[str, Meta(description="Markdown")] | None = None
    status: StatusName | None = None
    due: Annotated[str, Meta(description='ISO 8601 day or time; "none" clears')] | None = None
    reminder: Clearable | None = None
    recurrence: Annotated[str, Meta(description='RRULE, as FREQ=WEEKLY;BYDAY=MO; "none" clears')] | None = None
    time_zone: Annotated[str, Meta(description="IANA; of times without offset")] | None = None
    tags: Annotated[list[str], Meta(description="All of them")] | None = None
    priority: Annotated[int, Meta(ge=0, le=3, description="3: most urgent")] | None = None
    assignees: Annotated[list[str], Meta(description="Usernames, all of them")] | None = None
    checklist: Annotated[list[str], Meta(description="All items; done ones begin with [x]")] | None = None
    comment: Annotated[str, Meta(description="Markdown, to add")] | None = None
    quick: Annotated[bool, Meta(description="Read dates, #tags, !3 and @board in a new title")] = False
    board: Board | None = None
    space: Annotated[Space, Meta(description="Of a new task: name or id")] | None = None
    column: Annotated[str, Meta(description="Name or status")] | None = None
    key: Key | None = None


async def save_task(asking: AgentOperations, wanted: SaveTask) -> ToolResult:
    """A wrong board or column is refused before anything is saved."""
    return await (_create(asking, wanted) if wanted.id is None else _change(asking, wanted, wanted.id))


async def _create(asking: AgentOperations, wanted: SaveTask) -> ToolResult:
    if wanted.column and not wanted.board:
        raise ValidationFailed("column: name the board too, or leave both out.")
    board = await board_named(asking, wanted.board, wanted.space) if wanted.board else None
    column = _column_for(board, wanted) if board is not None else None
    zone = wanted.time_zone or await asking.own_time_zone()
    space_id = board.space_id if board is not None else await space_named(asking, wanted.space)
    answered = await asking.perform(TaskView, create_task, body=_new(wanted, zone) | given({"spaceId": space_id}))
    task, again = answered.data, answered.meta.idempotent_replay
    if column is not None and task.placement is None:
        task = await _placed(asking, task.id, column)
    if not again:
        task = await _commented(asking, wanted, task)
    return task_result("It was there already." if again else "Created.", task)


async def _change(asking: AgentOperations, wanted: SaveTask, task_id: str) -> ToolResult:
    task = (await asking.perform(TaskView, get_task, task_id)).data
    column = await _column_wanted(asking, wanted, task)
    if changes := _changes(wanted, task):
        task = (await asking.perform(TaskView, update_task, task_id, body=changes, key=wanted.key)).data
    if column is not None and (task.placement is None or task.placement.column_id != column.id):
        task = await _placed(asking, task.id, column)
    return task_result("Saved.", await _commented(asking, wanted, task))


async def _commented(asking: AgentOperations, wanted: SaveTask, task: TaskView) -> TaskView:
    if not wanted.comment:
        return task
    key = f"{wanted.key} comment" if wanted.key else None
    await asking.perform(CommentView, add_comment, task.id, body={"body": wanted.comment}, key=key)
    return (await asking.perform(TaskView, get_task, task.id)).data


async def _column_wanted(asking: AgentOperations, wanted: SaveTask, task: TaskView) -> ColumnView | None:
    """The column to put the task in; None if the task stays where it is."""
    if not wanted.board and not wanted.column:
        return None
    if wanted.board:
        board = await board_named(asking, wanted.board)
    elif task.placement is not None:
        board = (await asking.perform(BoardView, get_board, task.placement.board_id)).data
    else:
        raise ValidationFailed("column: the task is on no board; name one too.")
    stays = not (wanted.column or wanted.status) and task.placement and task.placement.board_id == board.id
    return None if stays else _column_for(board, wanted)


def _column_for(board: BoardView, wanted: SaveTask) -> ColumnView:
    name = wanted.column or wanted.status
    return column_named(board, name) if name else entry_of(board)


async def _placed(asking: AgentOperations, task_id: str, column: ColumnView) -> TaskView:
    body = {"board": column.board_id, "columnId": column.id, "status": column.status}
    return (await asking.perform(TaskView, move_task, task_id, body=body)).data


def _new(wanted: SaveTask, time_zone: str | None) -> dict[str, Any]:
    if not wanted.title:
        raise ValidationFailed("title is required for a new task; to change one, give its id.")
    zone = zone_of(time_zone or "UTC")
    return given({
        "title": wanted.title,
        "body": wanted.body or None,
        "status": wanted.status,
        **({} if wanted.due == NONE else _due(wanted.due, zone)),
        "reminder": _time("reminder", wanted.reminder, zone),
        "recurrence": None if wanted.recurrence == NONE else wanted.recurrence,
        "timeZone": time_zone,
        "tags": wanted.tags,
        "priority": wanted.priority,
        "assignees": wanted.assignees,
        "checklist": _items(wanted.checklist, ()),
        "quick": wanted.quick,
        "idempotencyKey": wanted.key,
    })  # fmt: skip


def _changes(wanted: SaveTask, task: TaskView) -> dict[str, Any]:
    zone = zone_of(wanted.time_zone or task.time_zone)
    changes = given({
        "title": wanted.title, "body": wanted.body, "status": wanted.status, "timeZone": wanted.time_zone,
        "tags": wanted.tags, "recurrence": wanted.recurrence, "priority": wanted.priority,
        "assignees": wanted.assignees, "checklist": _items(wanted.checklist, task.checklist),
    })  # fmt: skip
    if wanted.recurrence == NONE:
        changes["recurrence"] = None
    if wanted.due is not None:
        changes |= _due(wanted.due, zone)
    if wanted.reminder is not None:
        changes["reminder"] = _time("reminder", wanted.reminder, zone)
    return changes


def _items(lines: list[str] | None, before: Sequence[ChecklistItem]) -> list[dict[str, Any]] | None:
    """An item of the same title is the same item."""
    if lines is None:
        return None
    known = {item.title: item.id for item in reversed(before)}
    read = [(line.removeprefix(TICKED).strip(), line.startswith(TICKED)) for line in lines]
    return [given({"id": known.get(title), "title": title, "done": done}) for title, done in read]


def _due(text: str | None, zone: tzinfo) -> dict[str, Any]:
    """The member that says it: a day alone is a day."""
    if text is not None and is_day(text):
        return {"dueOn": text.strip()}
    return {"dueAt": _time("due", text, zone)}


def _time(name: str, text: str | None, zone: tzinfo) -> int | None:
    return None if text in (None, NONE) else read_time(name, str(text), zone)


TOOLS = [
    Tool(
        "save_task", "Create or change a task",
        "Create a task, or change the one with this id; what is left out stays. Can put it on a board.",
        SaveTask, save_task, TASKS_WRITE,
    ),
    Tool(
        "move_task", "Move a task", "Move a task to a column, a board, or a place in its column.",
        MoveTask, put_task, TASKS_WRITE, repeatable=True,
    ),
    Tool(
        "finish_task", "Complete, archive, trash or restore a task",
        "Complete a task (a recurring one gets its next date), archive or trash it, or restore it.",
        FinishTask, finish_task, TASKS_WRITE,
    ),
]  # fmt: skip
