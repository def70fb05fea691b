"""The queue as its operator sees it: how much waits, runs, is tried again or was given up, and for how long.

Jobs for a later hour, such as reminders, are in nobody's way and are left out. Counting looks only at what is near in
time, by an index, so a hundred thousand reminders cost nothing.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from stowboard.db.database import Row, Tx
from stowboard.jobs.attempt import LONGEST_PAUSE_MS
from stowboard.jobs.lease import JobId


class Queues(NamedTuple):
    """The names of those that there are; the composition root knows them."""

    names: Sequence[str]


class JobState(StrEnum):
    #: Due, and not begun.
    WAITING = "waiting"
    RUNNING = "running"
    #: An attempt failed, and the next one is not due yet.
    RETRIED = "retried"
    #: Its attempts are used up.
    DEAD = "dead"


class KindCount(NamedTuple):
    kind: str
    state: JobState
    number: int
    #: How long the one that is due for longest has been; 0 if none is.
    oldest_ms: int


class SeenJob(NamedTuple):
    id: JobId
    kind: str
    state: JobState
    attempts: Any
    #: Until it is due, or its lease ends; below 0 how long ago that was, or when it died.
    due_in_ms: Any
    error: Any


#: A state, out of the columns of a living job.
_STATE = "CASE WHEN token IS NOT NULL THEN 'running' WHEN due <= now_ms() THEN 'waiting' ELSE 'retried' END"
_NEAR = "due <= now_ms() + $1 AND (due <= now_ms() OR token IS NOT NULL OR attempt > 0)"


async def count_jobs(tx: Tx, queues: Sequence[str]) -> list[KindCount]:
    """Of these queues, by kind and state."""
    sql = f"""
    SELECT kind, {_STATE} AS state, count(*), max(now_ms() - due) FROM job
    WHERE queue = $2 AND dead = 0 AND {_NEAR} GROUP BY kind, state
    """
    found: list[Row] = []
    for queue in queues:
        found += await tx.all(sql, LONGEST_PAUSE_MS, queue)
    found += await tx.all("SELECT kind, 'dead', count(*), 0 FROM job WHERE dead = 1 GROUP BY kind")
    return [KindCount(kind, JobState(state), count, max(0, oldest)) for kind, state, count, oldest in found]


async def list_jobs(tx: Tx, queues: Sequence[str], limit: int) -> list[SeenJob]:
    """Those that were given up first, latest first; then the longest due of these queues."""
    dead = "SELECT id, kind, 'dead', attempt, due - now_ms(), error FROM job WHERE dead = 1 ORDER BY due DESC LIMIT $1"
    living = f"""
    SELECT id, kind, {_STATE}, attempt, due - now_ms(), error FROM job
    WHERE queue = $2 AND dead = 0 AND {_NEAR} ORDER BY due LIMIT $3
    """
    found = _seen(await tx.all(dead, limit))
    near: list[SeenJob] = []
    for queue in queues:
        near += _seen(await tx.all(living, LONGEST_PAUSE_MS, queue, limit))
    return [*found, *sorted(near, key=lambda job: job.due_in_ms)][:limit]


def _seen(rows: Sequence[Row]) -> list[SeenJob]:
    return [SeenJob(JobId(row[0]), row[1], JobState(row[2]), *row[3:]) for row in rows]
