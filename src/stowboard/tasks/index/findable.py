"""Tasks in the index of search. Zero-knowledge tasks are not in it: they can be listed, but not looked for."""

from collections.abc import Sequence

from stowboard.db.database import Tx, Write
from stowboard.search import index
from stowboard.search.document import SearchDocument, describe, tasks_of
from stowboard.search.long_texts import LONG
from stowboard.tasks.base.task import Task

#: What the document is made of.
_SAID = ("owner", "title", "body", "tags", "archived", "visibility")


def document_of(task: Task) -> SearchDocument | None:
    if task.zero_knowledge:
        return None
    return describe(task.id, tasks_of(task.owner, task.archived), task.title, (task.body,), task.tags)


def added(tx: Tx, task: Task) -> list[Write]:
    """The writes that add a new task to the index; to be written together."""
    document = _document(tx, task)
    return index.added(tx, document) if document is not None else []


async def follow_task(tx: Tx, before: Task, after: Task | None) -> None:
    """Make the index agree with the task as it is now; None is a task that is not there."""
    if after is not None and all(getattr(before, name) == getattr(after, name) for name in _SAID):
        return
    document = _document(tx, after) if after is not None else None
    if document is not None:
        await index.put(tx, [document])
    elif not before.zero_knowledge:
        await index.remove(tx, [before.id])


async def add_many(tx: Tx, tasks: Sequence[Task]) -> None:
    await index.put(tx, [document for task in tasks if (document := document_of(task)) is not None])


def _document(tx: Tx, task: Task) -> SearchDocument | None:
    if task.body is not None and len(task.body) > LONG:
        tx.takes_time()  # before it is read, which is what takes the time
    return document_of(task)
