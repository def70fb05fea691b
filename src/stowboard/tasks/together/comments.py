"""Comment on a task: Markdown as text, which the server never renders.

`@username` of somebody in the space is a mention. Any other name stays text and is no error, so that nobody can find
out names.
"""

import re

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import InsufficientRole, TooManyItems, ValidationFailed
from stowboard.core.ids import new_id
from stowboard.core.plain_text import check_lines
from stowboard.core.reach import Role
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import TaskComment
from stowboard.tasks.base import comment_store, task_store
from stowboard.tasks.base.comment_store import Comment, ImportedFrom
from stowboard.tasks.base.errors import ZeroKnowledgeBody
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import Task, TaskId
from stowboard.tasks.keep import keep_comment

#: On one task.
MOST_COMMENTS = 1000
#: Names that are looked for in one comment.
MOST_MENTIONS = 50
_MENTION = re.compile(r"(?<![\w@./-])@([a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?)(?![\w@])", re.IGNORECASE)


async def add_comment(
    tx: Tx,
    access: Access,
    task_id: TaskId,
    body: str,
    imported: ImportedFrom | None,
    if_match: str | None,
    library: Library,
) -> tuple[Task, Comment]:
    """Add a comment. One that was written elsewhere says so and is its importer's: nobody speaks in another's name.

    Raises TaskNotFound, ZeroKnowledgeBody, TooManyItems, PreconditionFailed, ValidationFailed, InsufficientRole.
    """
    needed = access if imported is None else access.needing(Role.EDITOR)
    task = await task_store.lock(tx, needed, task_id, if_match)
    if task.zero_knowledge:
        raise ZeroKnowledgeBody("A zero-knowledge task takes no comments: the server would read them.")
    count, person, author = task.extras.comment_count + 1, access.caller.person, tx.author
    if count > MOST_COMMENTS:
        raise TooManyItems(f"A task has at most {MOST_COMMENTS} comments.")
    _check(body)
    mentions = await _mentions(tx, library, task, body) if imported is None else []
    comment = Comment(
        id=new_id("cmt"), subject=task.id, author=person, body=body, mentions=mentions, imported=imported,
        actor=author.words if author is not None else None, created_at=clock.now_ms(),
    )  # fmt: skip
    await comment_store.insert(tx, [comment])
    await comment_store.follow_by_itself(tx, task.id, [*mentions, *([person] if person is not None else [])])
    told = TaskComment(task.id, 0, comment.id, mentions)
    return await keep_comment(tx, task, kinds.TASK_COMMENTED, count, told), comment


async def edit_comment(
    tx: Tx, access: Access, task_id: TaskId, comment_id: str, body: str, if_match: str | None, library: Library
) -> tuple[Task, Comment]:
    """Raises TaskNotFound, CommentNotFound, PreconditionFailed, ValidationFailed, InsufficientRole for another's."""
    task = await task_store.lock(tx, access, task_id, if_match)
    before = await comment_store.get_comment(tx, task.id, comment_id)
    if before.author != access.caller.person:
        raise InsufficientRole("Only its author may change a comment.")
    if before.body == body:
        return task, before
    _check(body)
    mentions = await _mentions(tx, library, task, body) if before.imported is None else []
    comment = msgspec.structs.replace(
        before, body=body, mentions=mentions, edited_at=clock.now_ms(), version=before.version + 1
    )
    await comment_store.update(tx, comment)
    new = [name for name in mentions if name not in before.mentions]
    await comment_store.follow_by_itself(tx, task.id, new)
    told = TaskComment(task.id, 0, comment.id, new)
    return await keep_comment(tx, task, kinds.TASK_COMMENT_EDITED, task.extras.comment_count, told), comment


async def delete_comment(tx: Tx, access: Access, task_id: TaskId, comment_id: str, if_match: str | None) -> None:
    """For its author, or a manager. Raises TaskNotFound, CommentNotFound, PreconditionFailed, InsufficientRole."""
    task = await task_store.lock(tx, access, task_id, if_match)
    comment = await comment_store.get_comment(tx, task.id, comment_id)
    if comment.author != access.caller.person:
        access.needing(Role.MANAGER).check(task.owner)
    await comment_store.delete(tx, comment)
    told = TaskComment(task.id, 0, comment.id)
    await keep_comment(tx, task, kinds.TASK_COMMENT_DELETED, task.extras.comment_count - 1, told)


def _check(body: str) -> None:
    if not body.strip():
        raise ValidationFailed("body: expected at least one character that is not a space.")
    check_lines("body", body)


async def _mentions(tx: Tx, library: Library, task: Task, body: str) -> list[str]:
    """The people of the space that the text names, in its order."""
    names = list(dict.fromkeys(name.lower() for name in _MENTION.findall(body)))[:MOST_MENTIONS]
    found = await library.members_among(tx, task.owner, names) if names else set()
    return [name for name in names if name in found]
