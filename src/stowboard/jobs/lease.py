"""The worker's side of the table `job`: claim, renew, finish, fail, hand back.

A claim gives the job a fresh token and pushes `due` to the end of a lease. Everything after it names the token, so a
worker that lost the lease (it stalled, or the job was cancelled meanwhile) changes nothing and gets LeaseLost. After a
kill nothing has to clean up: the lease ends, and the job is due again.

All times are the database's, so the clocks of workers may differ. A wait (a lease, a pause between attempts, a job for
now) also records its start in `waits_from`. If that lies in the future, the clock was set back, and the wait starts
again from now. A job for an hour of the clock has no `waits_from`, and keeps its hour.
"""

import secrets
from collections.abc import Sequence
from typing import NamedTuple, NewType

from stowboard.core.turns import Turns
from stowboard.db.database import Tx

JobId = NewType("JobId", str)
ERROR_LENGTH = 2000
#: Corrections by NTP up to this size are ignored.
CLOCK_SLACK_MS = 1000

NEXT_DUE = "SELECT due - now_ms() FROM job WHERE queue = $1 AND dead = 0 AND kind IN ({kinds}) ORDER BY due LIMIT 1"

#: The owners of a queue who have a due job. Each step goes to the next owner by the index, whatever waits in between.
OWNERS = """
WITH RECURSIVE owners (owner) AS (
    SELECT min(owner) FROM job WHERE queue = $1 AND dead = 0 AND owner <> ''
    UNION ALL
    SELECT (SELECT min(owner) FROM job WHERE queue = $1 AND dead = 0 AND owner <> '' AND owner > owners.owner)
    FROM owners WHERE owner IS NOT NULL
)
SELECT owner FROM owners WHERE EXISTS (
    SELECT 1 FROM job WHERE queue = $1 AND dead = 0 AND owner <> '' AND owner = owners.owner AND due <= now_ms()
    AND kind IN ({kinds})
)
UNION ALL SELECT '' WHERE EXISTS (
    SELECT 1 FROM job WHERE queue = $1 AND dead = 0 AND owner = '' AND due <= now_ms() AND kind IN ({kinds})
)
"""
# MATERIALIZED: PostgreSQL may otherwise run the inner SELECT more than once and lock more than its LIMIT.
CLAIM = """
WITH ready AS MATERIALIZED (
    SELECT id FROM job WHERE queue = $1 AND dead = 0 AND owner {owner} AND due <= now_ms() AND kind IN ({kinds})
    ORDER BY due LIMIT $2 FOR UPDATE SKIP LOCKED
)
UPDATE job
SET due = now_ms() + $3, waits_from = now_ms(), attempt = attempt + 1, token = $4,
    again = CASE WHEN again > now_ms() THEN again END
WHERE id IN (SELECT id FROM ready)
RETURNING id, kind, args, attempt
"""
CLAIM_OF_OWNER = CLAIM.replace("{owner}", "<> '' AND owner = $5")
CLAIM_OF_SERVICE = CLAIM.replace("{owner}", "= ''")


class LeaseLost(Exception):
    """Another worker has the job by now, or it was cancelled. The transaction of its effect is rolled back."""


class JobClaim(NamedTuple):
    id: JobId
    token: str
    queue: str
    kind: str
    args: bytes
    attempt: int
    owner: str = ""


class QueueDemand(NamedTuple):
    """The kinds of a queue that a worker knows, the number of jobs that it has room for, and whose turn it is."""

    queue: str
    kinds: Sequence[str]
    slots: int
    turns: Turns


async def next_due(tx: Tx, demands: Sequence[QueueDemand]) -> dict[str, int]:
    """Milliseconds until each queue has a due job, zero or less if it has one now; empty queues are left out."""
    waits = {}
    for queue, kinds, *_ in demands:
        if row := await tx.one(with_kinds(NEXT_DUE, kinds, after=1), queue, *kinds):
            waits[queue] = row[0]
    return waits


async def claim(tx: Tx, demands: Sequence[QueueDemand], lease_ms: int) -> list[JobClaim]:
    """Take due jobs of each queue: those of the owner served longest ago, of one owner the longest due first.

    Jobs of other kinds stay: while nodes are upgraded one by one, jobs of a new kind wait for a new worker.
    """
    token = secrets.token_hex(12)
    claims = []
    for queue, kinds, slots, turns in demands:
        owners = [owner for (owner,) in await tx.all(with_kinds(OWNERS, kinds, after=1), queue, *kinds)]
        for owner, number in turns.plan(owners, slots).items():
            sql, whose = (CLAIM_OF_OWNER, [owner]) if owner else (CLAIM_OF_SERVICE, [])
            sql = with_kinds(sql, kinds, after=4 + len(whose))
            rows = await tx.all(sql, queue, number, lease_ms, token, *whose, *kinds)
            claims += [
                JobClaim(JobId(job_id), token, queue, kind, args, attempt, owner)
                for job_id, kind, args, attempt in rows
            ]
    return claims


def with_kinds(sql: str, kinds: Sequence[str], after: int) -> str:
    """The statement with a parameter for each kind, numbered after the others."""
    return sql.format(kinds=", ".join(f"${after + n + 1}" for n in range(len(kinds))))


async def renew(tx: Tx, job: JobClaim, lease_ms: int) -> bool:
    """Prolong the lease from now on; False if it was lost."""
    sql = "UPDATE job SET due = now_ms() + $3, waits_from = now_ms() WHERE id = $1 AND token = $2"
    return await tx.run(sql, job.id, job.token, lease_ms) == 1


async def finish(tx: Tx, job: JobClaim) -> None:
    """The job is done: remove its row, or let it wait if it was ordered again meanwhile. Raises LeaseLost."""
    if await tx.run("DELETE FROM job WHERE id = $1 AND token = $2 AND again IS NULL", job.id, job.token) == 0:
        await _wait_again(tx, job, error=None)


async def fail(tx: Tx, job: JobClaim, error: str, retry_ms: int) -> None:
    """Wait for the next attempt, or for the time of an order that came meanwhile. Raises LeaseLost."""
    sql = """
    UPDATE job SET due = now_ms() + $3, waits_from = now_ms(), token = NULL, error = $4
    WHERE id = $1 AND token = $2 AND again IS NULL
    """
    if await tx.run(sql, job.id, job.token, retry_ms, _bounded(error)) == 0:
        await _wait_again(tx, job, error)


async def bury(tx: Tx, job: JobClaim, error: str) -> bool:
    """No more attempts: keep the job for people to look at. False if it was ordered again. Raises LeaseLost."""
    sql = """
    UPDATE job SET dead = 1, due = now_ms(), waits_from = NULL, token = NULL, error = $3
    WHERE id = $1 AND token = $2 AND again IS NULL
    """
    if await tx.run(sql, job.id, job.token, _bounded(error)) == 1:
        return True
    await _wait_again(tx, job, error)
    return False


async def hand_back(tx: Tx, job: JobClaim) -> None:
    """Make the job due for any worker, as if it had never been claimed. Does nothing if the lease was lost."""
    sql = """
    UPDATE job SET due = now_ms(), waits_from = now_ms(), attempt = attempt - 1, token = NULL
    WHERE id = $1 AND token = $2
    """
    await tx.run(sql, job.id, job.token)


async def release_all_leases(tx: Tx) -> int:
    """Make every claimed job due at once, and say how many there were.

    Only for a caller with the exclusive lock on an embedded installation's folder: then no worker runs.
    """
    sql = "UPDATE job SET due = now_ms(), waits_from = now_ms(), token = NULL WHERE token IS NOT NULL"
    return await tx.run(sql)


async def clock_was_set_back(tx: Tx) -> bool:
    """True if a job's wait began in the future."""
    return await tx.one("SELECT 1 FROM job WHERE waits_from > now_ms() + $1 LIMIT 1", CLOCK_SLACK_MS) is not None


async def restart_waits(tx: Tx) -> int:
    """Restart the waits that began in the future from now; returns how many there were."""
    sql = """
    UPDATE job SET due = now_ms() + due - waits_from, waits_from = now_ms() WHERE waits_from > now_ms() + $1
    """
    return await tx.run(sql, CLOCK_SLACK_MS)


async def _wait_again(tx: Tx, job: JobClaim, error: str | None) -> None:
    sql = """
    UPDATE job SET due = CASE WHEN again <= 0 THEN now_ms() - again ELSE again END, again = NULL, attempt = 0,
        token = NULL, waits_from = CASE WHEN again <= 0 THEN now_ms() END, error = $3
    WHERE id = $1 AND token = $2 AND again IS NOT NULL
    """
    if await tx.run(sql, job.id, job.token, None if error is None else _bounded(error)) == 0:
        raise LeaseLost(job.id)


def _bounded(error: str) -> str:
    # PostgreSQL refuses NUL in text, and both databases refuse lone surrogates: such an error could not be stored.
    return error[:ERROR_LENGTH].replace("\0", "").encode("utf-8", "replace").decode()
