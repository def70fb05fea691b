"""The tool that deletes for good. It is there only if the operator wants it, and the token has the scope."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from msgspec import Meta

from stowboard.agents.asked import AgentOperations
from stowboard.agents.protocol.tool import Arguments, TextContent, Tool, ToolResult
from stowboard.api.endpoint import Deleted
from stowboard.core.errors import Problem, ValidationFailed
from stowboard.media.assets.routes import delete_asset
from stowboard.media.videos.routes import delete_video
from stowboard.tasks.boards.board_routes import delete_board
from stowboard.tasks.task_routes import delete_task

SCOPES = frozenset({"tasks:delete", "media:delete"})
#: The scope and the operation, by the prefix of the id.
_DELETIONS: dict[str, tuple[str, Callable[..., Awaitable[Any]]]] = {
    "tsk": ("tasks:delete", delete_task),
    "brd": ("tasks:delete", delete_board),
    "ast": ("media:delete", delete_asset),
    "vid": ("media:delete", delete_video),
}


class DeleteItems(Arguments, frozen=True):
    ids: Annotated[list[str], Meta(min_length=1, max_length=20, description="Tasks, boards, files, videos")]


async def delete_items(asking: AgentOperations, wanted: DeleteItems) -> ToolResult:
    """Deletes each item by itself: a missing one does not stop the others."""
    unknown = [each for each in wanted.ids if _prefix(each) not in _DELETIONS]
    if unknown:
        raise ValidationFailed(f"ids: {unknown[0][:100]!r} is no id of a task, board, file or video.")
    deleted, refused = [], {}
    for each in dict.fromkeys(wanted.ids):
        try:
            await asking.perform(Deleted, _DELETIONS[_prefix(each)][1], each)
            deleted.append(each)
        except Problem as problem:
            refused[each] = problem.code
    text = f"Deleted {len(deleted)}." + "".join(f" {each}: {code}." for each, code in refused.items())
    return ToolResult([TextContent(text)], {"deleted": deleted, "refused": refused}, is_error=not deleted)


def _scopes_of(wanted: DeleteItems) -> frozenset[str]:
    return frozenset(_DELETIONS[_prefix(each)][0] for each in wanted.ids if _prefix(each) in _DELETIONS)


def _prefix(text: str) -> str:
    return text.partition("_")[0]


TOOLS = [
    Tool(
        "delete_items", "Delete for good",
        "Delete for good; cannot be undone. finish_task and edit_media can put away instead.",
        DeleteItems, delete_items, SCOPES, scopes_of=_scopes_of, destroys=True, repeatable=True,
    ),
]  # fmt: skip
