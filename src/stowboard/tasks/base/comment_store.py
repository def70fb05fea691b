"""Comments on tasks, and the people who follow a task, in the database. Callers have checked the task's reach."""

from collections.abc import Sequence

import msgspec

from stowboard.core.cursor import Position
from stowboard.core.errors import NotFound
from stowboard.db.database import Tx
from stowboard.db.rows import numbered
from stowboard.db.scan import RowPage
from stowboard.db.table import Table
from stowboard.search.long_texts import words_in
from stowboard.tasks.base.task import Task, TaskId


class ImportedFrom(msgspec.Struct, frozen=True):
    """The one who wrote a comment elsewhere, in words, and when."""

    author: str
    at: int | None = None


class Comment(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    subject: TaskId
    #: None for a token of a space.
    author: str | None
    body: str
    mentions: list[str]
    imported: ImportedFrom | None
    #: The author in words, as events have it.
    actor: str | None
    created_at: int
    edited_at: int | None = None
    version: int = 1


class CommentNotFound(NotFound):
    """The task has no such comment."""


class TaskAudience(msgspec.Struct, frozen=True):
    """The people who get news of a task. Those who do not want to hear of it are in neither list."""

    assignees: list[str]
    #: These include the maker and the assignees, who follow it without a choice of their own.
    followers: list[str]


COMMENTS = Table("comment", Comment, "imported", in_words=("mentions",))
_INSERT = f"INSERT INTO comment ({COMMENTS.names}, words) VALUES ({numbered(len(COMMENTS.fields) + 1)})"


async def get_comment(tx: Tx, task_id: TaskId, comment_id: str) -> Comment:
    """Raises CommentNotFound, also for a comment on another task."""
    found = await find_comment(tx, task_id, comment_id)
    if found is None:
        raise CommentNotFound
    return found


async def find_comment(tx: Tx, task_id: TaskId, comment_id: str) -> Comment | None:
    return await COMMENTS.find(tx, "id = $1 AND subject = $2", comment_id, task_id)


async def list_comments(tx: Tx, task_id: TaskId, after: Position | None, size: int) -> RowPage[Comment]:
    """Newest first."""
    return await COMMENTS.page(tx, after, size, "subject = $1", arguments=(task_id,))


async def insert(tx: Tx, comments: Sequence[Comment]) -> None:
    rows = [(*COMMENTS.values(comment), words_in(comment.body)) for comment in comments]
    await tx.run_many(_INSERT, rows)


async def update(tx: Tx, comment: Comment) -> None:
    await tx.run(
        "UPDATE comment SET body = $2, mentions = $3, edited_at = $4, version = $5, words = $6 WHERE id = $1",
        comment.id, comment.body, " ".join(comment.mentions), comment.edited_at, comment.version,
        words_in(comment.body),
    )  # fmt: skip


async def delete(tx: Tx, comment: Comment) -> None:
    await tx.run("DELETE FROM comment WHERE id = $1", comment.id)


async def find_newest_words(tx: Tx, task_id: TaskId, limit: int, characters: int) -> list[str]:
    """Words of the newest comments, up to the one with which they have this many characters in all."""
    sql = "SELECT words FROM comment WHERE subject = $1 ORDER BY id DESC LIMIT $2"
    found: list[str] = []
    for (words,) in await tx.all(sql, task_id, limit):
        found.append(words)
        characters -= len(words)
        if characters <= 0:
            break
    return found


async def follow(tx: Tx, task_id: TaskId, person: str, muted: bool) -> None:
    """Keep a person's choice to follow the task, or to be muted."""
    await tx.run(
        "INSERT INTO task_follower (task_id, person, muted) VALUES ($1, $2, $3)"
        " ON CONFLICT (task_id, person) DO UPDATE SET muted = excluded.muted",
        task_id, person, int(muted),
    )  # fmt: skip


async def follow_by_itself(tx: Tx, task_id: TaskId, people: Sequence[str]) -> None:
    """Let these people follow the task, except those who have made a choice."""
    await tx.run_many(
        "INSERT INTO task_follower (task_id, person, muted) VALUES ($1, $2, 0)"
        " ON CONFLICT (task_id, person) DO NOTHING",
        [(task_id, person) for person in sorted(people)],
    )


async def find_audiences(tx: Tx, tasks: Sequence[Task]) -> dict[TaskId, TaskAudience]:
    """The audience of each task. Some may have left the space: ask again before they are told."""
    which = f"task_id IN ({numbered(len(tasks))}) ORDER BY task_id, person"
    sql = f"SELECT task_id, person, muted FROM task_follower WHERE {which}"
    chosen: dict[str, dict[str, int]] = {}
    for task_id, person, muted in await tx.all(sql, *(task.id for task in tasks)) if tasks else ():
        chosen.setdefault(task_id, {})[person] = muted
    return {task.id: _audience(task, chosen.get(task.id, {})) for task in tasks}


def _audience(task: Task, chosen: dict[str, int]) -> TaskAudience:
    """`chosen` says of each person whether they are muted."""
    extras = task.extras
    maker = [extras.created_by] if extras.created_by is not None else []
    followers = dict.fromkeys([*maker, *extras.assignees, *chosen])
    return TaskAudience(
        [person for person in extras.assignees if not chosen.get(person)],
        [person for person in followers if not chosen.get(person)],
    )
