"""Tools that find tasks and read them."""

from typing import Annotated

from msgspec import Meta

from stowboard.agents.asked import AgentOperations
from stowboard.agents.boards import board_named, space_named
from stowboard.agents.protocol.tool import Arguments, Tool, ToolResult
from stowboard.agents.shown_tasks import Card, body_of, task_facts, task_line, task_result
from stowboard.agents.tools.arguments import TASKS_READ, Board, Limit, Spaces, StatusName, Time
from stowboard.agents.words import list_result, read_time, zone_of
from stowboard.tasks.base.document import TaskView
from stowboard.tasks.comment_routes import CommentView, list_comments
from stowboard.tasks.list_routes import list_tasks
from stowboard.tasks.task_routes import get_task

#: Characters of a body that are given at once, about 5,000 tokens.
_LONGEST_PART = 20_000
#: The number of comments that are shown, the newest.
_COMMENTS = 20


class FindTasks(Arguments, frozen=True):
    query: Annotated[str, Meta(description="Words in title, body or tags")] | None = None
    status: StatusName | None = None
    tags: list[str] | None = None
    board: Board | None = None
    space: Spaces | None = None
    assignee: Annotated[str, Meta(description='Username or "me"')] | None = None
    due_before: Time | None = None
    due_after: Time | None = None
    archived: bool = False
    limit: Limit = 20
    cursor: str | None = None


class GetTask(Arguments, frozen=True):
    id: str
    offset: Annotated[int, Meta(ge=0, description="Where in a long body to begin")] = 0


async def find_tasks(asking: AgentOperations, wanted: FindTasks) -> ToolResult:
    zone = zone_of(await asking.own_time_zone() or "UTC")
    query = {
        "q": wanted.query or None,
        "status": wanted.status,
        "tags": ",".join(wanted.tags) if wanted.tags else None,
        "boardId": (await board_named(asking, wanted.board, wanted.space)).id if wanted.board else None,
        "spaceId": await space_named(asking, wanted.space),
        "assignee": wanted.assignee,
        "dueBefore": read_time("dueBefore", wanted.due_before, zone) if wanted.due_before else None,
        "dueAfter": read_time("dueAfter", wanted.due_after, zone) if wanted.due_after else None,
        "archived": "true" if wanted.archived else None,
        "limit": wanted.limit,
        "cursor": wanted.cursor or None,
    }
    page = await asking.perform(list[Card], list_tasks, query=query)
    tasks = page.data
    return list_result(
        "task", "tasks", list(map(task_line, tasks)), list(map(task_facts, tasks)), page.meta.next_cursor
    )


async def read_task(asking: AgentOperations, wanted: GetTask) -> ToolResult:
    task = (await asking.perform(TaskView, get_task, wanted.id)).data
    body = body_of(task) or ""
    part = body[wanted.offset : wanted.offset + _LONGEST_PART]
    left = len(body) - wanted.offset - len(part)
    said = f"The body goes on: {left} characters from offset {wanted.offset + len(part)}." if left > 0 else "One task."
    comments: list[CommentView] = []
    if task.comment_count:
        comments = (await asking.perform(list[CommentView], list_comments, wanted.id, query={"limit": _COMMENTS})).data
    return task_result(said, task, part, comments)


TOOLS = [
    Tool(
        "find_tasks", "Find tasks", "Find tasks by words, status, tags, board or dates, newest first.",
        FindTasks, find_tasks, TASKS_READ, reads=True,
    ),
    Tool(
        "get_task", "Read a task", "Read one task with its body and newest comments.",
        GetTask, read_task, TASKS_READ, reads=True,
    ),
]  # fmt: skip
