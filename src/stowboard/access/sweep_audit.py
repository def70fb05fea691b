"""Removes audit entries after a year, or after the time that the operator sets."""

from stowboard.access.settings import AccessSettings
from stowboard.core import clock
from stowboard.events.audit import forget_entries
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.schedule import BATCH, PeriodicJob

_DAY_MS = 24 * 3600 * 1000


async def sweep_audit(job: Job, _: NoArgs) -> None:
    before = clock.now_ms() - job.use(AccessSettings).audit_days * _DAY_MS
    while await job.db.transact(forget_entries, before, BATCH) == BATCH:
        pass


SWEEP_AUDIT = PeriodicJob(
    "access.sweep_audit", 3_600_000, JobKind("access.sweep_audit", "sweep", sweep_audit, args=NoArgs), NoArgs()
)
