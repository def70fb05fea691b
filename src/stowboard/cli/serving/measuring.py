"""Metrics of the whole installation: jobs by kind and state, and damaged files."""

import asyncio
import logging

from stowboard.core.errors import Problem
from stowboard.core.metrics import Gauge
from stowboard.db.database import Database, Tx
from stowboard.jobs.overview import JobStatus, KindCount, count_jobs
from stowboard.media.damage.marks import count_damaged

EVERY_SECONDS = 15.0
JOBS = Gauge("stowboard_jobs", "Jobs by kind and state: waiting, running, retried, dead.", ("kind", "state"))
OLDEST = Gauge("stowboard_jobs_oldest_seconds", "How long the job has been due that waits longest.", ("kind",))
DAMAGED = Gauge("stowboard_damaged", "Assets and videos whose files are known to be damaged.", ("resource",))

log = logging.getLogger("stowboard")


async def keep_measuring(db: Database, queues: list[str]) -> None:
    """Measure until cancelled. While the database is away, the last values stay."""
    while True:
        try:
            _show(*await db.read(_measure, queues))
        except Problem as away:
            log.debug("nothing could be measured: %s", away)
        await asyncio.sleep(EVERY_SECONDS)


async def _measure(tx: Tx, queues: list[str]) -> tuple[list[KindCount], dict[str, int]]:
    return await count_jobs(tx, queues), await count_damaged(tx)


def _show(jobs: list[KindCount], damaged: dict[str, int]) -> None:
    JOBS.set_all({(each.kind, each.status): each.number for each in jobs})
    OLDEST.set_all({(each.kind,): each.oldest_ms / 1000 for each in jobs if each.status is JobStatus.WAITING})
    DAMAGED.set_all({(resource,): count for resource, count in damaged.items()})
