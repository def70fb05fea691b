"""The queue as its operator sees it: how many jobs wait, run, are retried or were given up, and since when.

Jobs for a later hour, such as reminders, delay nothing and are left out. Both functions read only jobs that are due
within an hour, by an index, so a hundred thousand reminders cost nothing.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from stowboard.core.cursor import Position
from stowboard.db.database import Row, Tx
from stowboard.db.scan import RowPage, SqlArguments
from stowboard.jobs.attempt import LONGEST_PAUSE_MS
from stowboard.jobs.lease import JobId


class QueueNames(NamedTuple):
    """The names of all queues; the composition root knows them."""

    names: Sequence[str]


class JobStatus(StrEnum):
    #: Due, and not begun.
    WAITING = "waiting"
    RUNNING = "running"
    #: An attempt failed, and the next one is not due yet.
    RETRIED = "retried"
    #: Its attempts are used up.
    DEAD = "dead"


class KindCount(NamedTuple):
    kind: str
    status: JobStatus
    number: int
    #: Time since the oldest of them was due; 0 if none was.
    oldest_ms: int


class JobOverview(NamedTuple):
    id: JobId
    kind: str
    status: JobStatus
    attempts: int
    #: Time until it is due or its lease ends. A negative value is the time since then, or since it died.
    due_in_ms: int
    error: str | None


#: The status of a job that is not dead.
_STATUS = "CASE WHEN token IS NOT NULL THEN 'running' WHEN due <= now_ms() THEN 'waiting' ELSE 'retried' END"
_NEAR = "due <= now_ms() + $1 AND (due <= now_ms() OR token IS NOT NULL OR attempt > 0)"


async def count_jobs(tx: Tx, queues: Sequence[str]) -> list[KindCount]:
    """Jobs of these queues, by kind and status."""
    sql = f"""
    SELECT kind, {_STATUS} AS status, count(*), max(now_ms() - due) FROM job
    WHERE queue = $2 AND dead = 0 AND {_NEAR} GROUP BY kind, status
    """
    found: list[Row] = []
    for queue in queues:
        found += await tx.all(sql, LONGEST_PAUSE_MS, queue)
    found += await tx.all("SELECT kind, 'dead', count(*), 0 FROM job WHERE dead = 1 GROUP BY kind")
    return [KindCount(kind, JobStatus(status), count, max(0, oldest)) for kind, status, count, oldest in found]


async def list_jobs(
    tx: Tx, queues: Sequence[str], status: JobStatus | None, after: Position | None, size: int
) -> RowPage[JobOverview]:
    """A page of jobs of these queues, and of all that were given up; newest first."""
    arguments = SqlArguments(LONGEST_PAUSE_MS)
    columns = f"id, kind, {_STATUS} AS status, attempt, due - now_ms() AS due_in, error"
    near = [
        f"SELECT {columns} FROM job WHERE queue = {arguments.add(queue)} AND dead = 0 AND {_NEAR}" for queue in queues
    ]
    dead = "SELECT id, kind, 'dead' AS status, attempt, due - now_ms() AS due_in, error FROM job WHERE dead = 1"
    conditions = [f"status = {arguments.add(status)}"] if status is not None else []
    conditions += [f"id < {arguments.add(after[0])}"] if after is not None else []
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    sql = f"SELECT * FROM ({' UNION ALL '.join([*near, dead])}) AS seen {where} ORDER BY id DESC LIMIT {size + 1}"
    rows = await tx.all(sql, *arguments.values)
    end = (rows[size - 1][0],) if len(rows) > size else None
    return RowPage([JobOverview(JobId(row[0]), row[1], JobStatus(row[2]), *row[3:]) for row in rows[:size]], end)
