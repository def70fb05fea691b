"""Tasks in the index of search. Those in the trash and zero-knowledge ones are not in it."""

from collections.abc import Sequence

from stowboard.db.database import Tx, Write
from stowboard.search import index
from stowboard.search.document import SearchDocument, describe, tasks_of
from stowboard.search.long_texts import LONG
from stowboard.search.store import ScopeMove
from stowboard.tasks.base import comment_store
from stowboard.tasks.base.task import Task, TaskId

#: The most comments by which a task is found, the newest ones, and about the most characters of their words in all.
MOST_COMMENTS = 200
MOST_CHARACTERS = 20_000
#: The members of a task that its document is made of.
_SAID = ("owner", "title", "body", "tags", "shelf", "visibility")


def document_of(task: Task, comments: Sequence[str] = ()) -> SearchDocument | None:
    """`comments` are those of `comments_of`."""
    if task.zero_knowledge or task.in_trash:
        return None
    scope = tasks_of(task.owner, task.archived)
    return describe(task.id, scope, task.title, (task.body,), task.tags, comments)


async def comments_of(tx: Tx, tasks: Sequence[Task]) -> dict[TaskId, list[str]]:
    """The words of the newest comments on each task, which are found with it."""
    return {
        task.id: await comment_store.find_newest_words(tx, task.id, MOST_COMMENTS, MOST_CHARACTERS)
        for task in tasks
        if task.more is not None and task.extras.comment_count
    }


def added(tx: Tx, task: Task) -> list[Write]:
    """The writes that add a new task to the index; to be written together."""
    document = _document(tx, task)
    return index.added(tx, document) if document is not None else []


async def follow_tasks(tx: Tx, changes: Sequence[tuple[Task, Task | None]], commented: bool = False) -> None:
    """Make the index agree with tasks as they are now; None stands for a task that is not there."""
    said = [each for each in changes if commented or _says_more(*each)]
    tasks = [after for _, after in said if after is not None]
    comments = await comments_of(tx, tasks)
    documents = [document for task in tasks if (document := _document(tx, task, comments.get(task.id, ())))]
    await index.put(tx, documents)
    found = {document.id for document in documents}
    await index.remove(tx, [task.id for task, _ in said if task.id not in found and not task.zero_knowledge])


async def follow_transfer(tx: Tx, changes: Sequence[tuple[Task, Task]]) -> None:
    """Make the index agree with tasks that went to another space as they are."""
    moves = [
        ScopeMove(after.id, tasks_of(before.owner, before.archived), tasks_of(after.owner, after.archived))
        for before, after in changes
        if not (after.zero_knowledge or after.in_trash)
    ]
    await index.rescope(tx, moves)


async def add_many(tx: Tx, tasks: Sequence[Task]) -> None:
    comments = await comments_of(tx, tasks)
    documents = [_document(tx, task, comments.get(task.id, ())) for task in tasks]
    await index.put(tx, [document for document in documents if document is not None])


def _says_more(before: Task, after: Task | None) -> bool:
    return after is None or any(getattr(before, name) != getattr(after, name) for name in _SAID)


def _document(tx: Tx, task: Task, comments: Sequence[str] = ()) -> SearchDocument | None:
    if sum(map(len, comments), len(task.body or "")) > LONG:
        tx.takes_time()  # said before the text is read: reading takes the time
    return document_of(task, comments)
