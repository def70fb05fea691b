"""The progress of a job of many steps, which its owner can read. Each step counts in its own transaction."""

from enum import StrEnum

import msgspec

from stowboard.core import clock
from stowboard.core.ids import is_id, new_id
from stowboard.db.database import Tx
from stowboard.db.rows import Columns

#: How long progress is kept after the last step.
KEPT_MS = 7 * 24 * 3600 * 1000


class ProgressStatus(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class JobProgress(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    kind: str
    owner: str
    status: ProgressStatus
    done: int
    #: As it was counted at the start.
    total: int
    updated_at: int


_COLUMNS = Columns(JobProgress)


async def begin(tx: Tx, kind: str, owner: str, total: int) -> JobProgress:
    progress = JobProgress(
        id=new_id("prg"), kind=kind, owner=owner, status=ProgressStatus.RUNNING, done=0, total=total,
        updated_at=clock.now_ms(),
    )  # fmt: skip
    sql = f"INSERT INTO job_progress ({_COLUMNS.names}) VALUES ({_COLUMNS.parameters})"
    await tx.run(sql, *_COLUMNS.values(progress))
    return progress


async def advance(tx: Tx, progress_id: str, done: int, status: ProgressStatus) -> None:
    """Add to the number of things that are done."""
    await tx.run(
        "UPDATE job_progress SET done = done + $2, status = $3, updated_at = $4 WHERE id = $1",
        progress_id, done, status, clock.now_ms(),
    )  # fmt: skip


async def find(tx: Tx, kind: str, owner: str, progress_id: str) -> JobProgress | None:
    if not is_id("prg", progress_id):
        return None
    sql = f"SELECT {_COLUMNS.names} FROM job_progress WHERE id = $1 AND kind = $2 AND owner = $3"
    row = await tx.one(sql, progress_id, kind, owner)
    return _COLUMNS.read(row) if row is not None else None


async def forget_progress(tx: Tx, limit: int) -> int:
    """Remove progress that is over, a bounded number of rows."""
    return await tx.run(
        "DELETE FROM job_progress WHERE id IN"
        " (SELECT id FROM job_progress WHERE updated_at <= $1 ORDER BY updated_at LIMIT $2)",
        clock.now_ms() - KEPT_MS, limit,
    )  # fmt: skip
