"""What search knows of tasks. One that is zero-knowledge is not in its index: it can be listed, but not looked for."""

from collections.abc import Sequence

from stowboard.db.database import Tx, Write
from stowboard.search import index
from stowboard.search.document import Document, describe, tasks_of
from stowboard.tasks.base.task import Task

#: What the document is made of.
_SAID = ("title", "body", "tags", "archived", "visibility")


def document_of(task: Task) -> Document | None:
    if task.zero_knowledge:
        return None
    return describe(task.id, tasks_of(task.owner, task.archived), task.title, (task.body,), task.tags)


def added(tx: Tx, task: Task) -> list[Write]:
    """What makes the index know a new task; to be written together."""
    document = document_of(task)
    return index.added(tx, document) if document is not None else []


async def follow_task(tx: Tx, before: Task, after: Task | None) -> None:
    """Make the index agree with the task as it is now; None is a task that is not there."""
    if after is None or any(getattr(before, name) != getattr(after, name) for name in _SAID):
        await index.follow(tx, [(document_of(before), document_of(after) if after is not None else None)])


async def add_many(tx: Tx, tasks: Sequence[Task]) -> None:
    await index.follow(tx, [(None, document_of(task)) for task in tasks])
