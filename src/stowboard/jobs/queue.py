"""Jobs are ordered in the transaction that needs them.

The job and that transaction's effect are committed together or not at all. Workers are woken after the commit; a lost
wake-up costs one poll, never a job.

With a `dedup` key there is at most one living job of that kind and key, so that no two of them run side by side:

- waiting: a second order gives it the newer arguments, the earlier due time and fresh attempts;
- running: a second order is kept, for the run may have read old data. The job runs once more,
  with the newer arguments, when the present run has ended;
- `cancel` also takes it from a worker that has begun: its completion fails and its effect is rolled back.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec

from stowboard.core.ids import new_id
from stowboard.db.database import Tx, Value
from stowboard.jobs.lease import JobId
from stowboard.jobs.registry import AnyKind, JobKind

A = TypeVar("A")

#: The channel that workers listen to.
CHANNEL = "jobs"
_ENQUEUE = """
INSERT INTO job (id, queue, kind, args, dedup, due, waits_from, created_at, owner)
VALUES ($1, $2, $3, $4, $5, COALESCE($6, now_ms() + $7), CASE WHEN $6 IS NULL THEN now_ms() END, now_ms(), $8)
ON CONFLICT (kind, dedup) WHERE dedup IS NOT NULL AND dead = 0 DO UPDATE SET
    args = excluded.args,
    due = CASE WHEN job.token IS NULL AND excluded.due < job.due THEN excluded.due ELSE job.due END,
    waits_from = CASE WHEN job.token IS NULL AND excluded.due < job.due THEN excluded.waits_from
        ELSE job.waits_from END,
    attempt = CASE WHEN job.token IS NULL THEN 0 ELSE job.attempt END,
    again = CASE WHEN job.token IS NULL THEN job.again
        WHEN excluded.waits_from IS NOT NULL THEN excluded.waits_from - excluded.due
        WHEN job.again <= excluded.due THEN job.again ELSE excluded.due END
"""
#: SQLite gets slow with RETURNING inside of a savepoint that has many writes.
_ENQUEUE_ONE = f"{_ENQUEUE}RETURNING id"
_CANCEL = "DELETE FROM job WHERE kind = $1 AND dedup = $2 AND dead = 0"


class DeadJob(NamedTuple):
    """A job whose attempts are used up."""

    id: JobId
    kind: str
    #: None if the arguments cannot be read.
    args: Any
    attempts: int
    error: str
    created_at: int
    died_at: int


async def enqueue(
    tx: Tx,
    kind: JobKind[A],
    args: A,
    *,
    due: int | None = None,
    wait_ms: int = 0,
    dedup: str | None = None,
    owner: str = "",
) -> JobId:
    """Order a job for `due`, a time of the clock in milliseconds since the epoch; without it, for now.

    With `wait_ms` the job first waits for that time, even if the clock is changed. Claims go round the owners.
    """
    assert wait_ms == 0 or due is None
    row = await tx.one(_ENQUEUE_ONE, *_values(kind, args, dedup, due, wait_ms, owner))
    assert row is not None
    tx.notify(CHANNEL)
    return JobId(row[0])


async def enqueue_many(tx: Tx, kind: JobKind[A], orders: Sequence[tuple[A, int, str]]) -> None:
    """Order jobs, each with its arguments, due time and `dedup` key."""
    if orders:
        await tx.run_many(_ENQUEUE, [_values(kind, args, dedup, due, 0) for args, due, dedup in orders])
        tx.notify(CHANNEL)


async def is_ordered(tx: Tx, kind: AnyKind, dedup: str) -> bool:
    """True if such a job waits or runs."""
    row = await tx.one("SELECT 1 FROM job WHERE kind = $1 AND dedup = $2 AND dead = 0", kind.name, dedup)
    return row is not None


async def cancel(tx: Tx, kind: AnyKind, dedup: str) -> bool:
    """Forget the job; False if it does not exist."""
    return await tx.run(_CANCEL, kind.name, dedup) == 1


async def cancel_many(tx: Tx, kind: AnyKind, keys: Sequence[str]) -> None:
    """The same for all of these `dedup` keys."""
    if keys:
        await tx.run_many(_CANCEL, [(kind.name, dedup) for dedup in keys])


async def dead_jobs(tx: Tx, limit: int) -> list[DeadJob]:
    """The jobs that were given up, latest first."""
    sql = """
    SELECT id, kind, args, attempt, error, created_at, due FROM job WHERE dead = 1 ORDER BY due DESC LIMIT $1
    """
    return [
        DeadJob(JobId(job_id), kind, _readable(args), attempt, error, created_at, died_at)
        for job_id, kind, args, attempt, error, created_at, died_at in await tx.all(sql, limit)
    ]


async def retry_dead(tx: Tx, job_id: JobId) -> bool:
    """Give a dead job fresh attempts; False if there is no such job.

    If a job with its `dedup` key was ordered since, the dead one loses the key and runs beside that job.
    """
    sql = """
    UPDATE job SET dead = 0, due = now_ms(), waits_from = now_ms(), attempt = 0, dedup = CASE WHEN NOT EXISTS (
        SELECT 1 FROM job AS younger
        WHERE younger.kind = job.kind AND younger.dedup = job.dedup AND younger.dedup IS NOT NULL AND younger.dead = 0
    ) THEN dedup END
    WHERE id = $1 AND dead = 1
    """
    found = await tx.run(sql, job_id) == 1
    if found:
        tx.notify(CHANNEL)
    return found


def _values(
    kind: JobKind[A], args: A, dedup: str | None, due: int | None, wait_ms: int, owner: str = ""
) -> tuple[Value, ...]:
    return new_id("job"), kind.queue, kind.name, msgspec.json.encode(args), dedup, due, wait_ms, owner


def _readable(args: bytes) -> Any:
    try:
        return msgspec.json.decode(args)
    except (msgspec.DecodeError, TypeError):  # a damaged row must not hide the others
        return None
