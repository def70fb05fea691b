"""The progress of a job with many steps, for its owner. Each step is counted in its own transaction."""

from enum import StrEnum

import msgspec

from stowboard.core import clock
from stowboard.core.ids import is_id, new_id
from stowboard.db.database import Tx
from stowboard.db.table import Table, forget_old

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
    #: The number of things at the start.
    total: int
    updated_at: int


_PROGRESS = Table("job_progress", JobProgress)


async def begin(tx: Tx, kind: str, owner: str, total: int) -> JobProgress:
    progress = JobProgress(
        id=new_id("prg"), kind=kind, owner=owner, status=ProgressStatus.RUNNING, done=0, total=total,
        updated_at=clock.now_ms(),
    )  # fmt: skip
    await _PROGRESS.insert(tx, progress)
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
    return await _PROGRESS.find(tx, "id = $1 AND kind = $2 AND owner = $3", progress_id, kind, owner)


forget_progress = forget_old("job_progress", column="updated_at", kept_ms=KEPT_MS)
