"""Background work over the API, for admins: what waits and runs, what was given up, and another try for it."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.api.endpoint import Call, Endpoint
from stowboard.core import clock
from stowboard.core.errors import NotFound
from stowboard.core.scopes import ADMIN
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of
from stowboard.jobs.lease import JobId
from stowboard.jobs.overview import JobState, Queues, SeenJob, count_jobs, list_jobs
from stowboard.jobs.queue import retry_dead

MOST_SHOWN = 100


class JobCount(msgspec.Struct, frozen=True, rename="camel"):
    """How many jobs of one kind are in one state."""

    kind: str
    state: JobState
    number: int
    oldest_ms: Annotated[int, Meta(description="How long the one that is due for longest has been.")]


class JobView(msgspec.Struct, frozen=True, rename="camel"):
    """A job."""

    id: str
    kind: str
    state: JobState
    attempts: int
    due_at: Annotated[int, Meta(description="When it is due; of one that runs the end of its lease; when it died.")]
    error: Annotated[str, Meta(description="Why the last attempt failed.")] | None


class QueueView(msgspec.Struct, frozen=True, rename="camel"):
    """Background work. Jobs for a later hour, such as reminders, are left out."""

    counts: list[JobCount]
    jobs: Annotated[list[JobView], Meta(description=f"At most {MOST_SHOWN}: those that were given up come first.")]


class RetriedJob(msgspec.Struct, frozen=True, rename="camel"):
    """A job that has fresh attempts."""

    id: str
    retried: bool = True


async def list_background_jobs(tx: Tx, call: Call[None, None]) -> QueueView:
    """List background jobs: those that were given up, that wait, that run and that will be tried again."""
    queues = call.use(Queues).names
    counts = [JobCount(*each) for each in await count_jobs(tx, queues)]
    return QueueView(counts, [_show(job) for job in await list_jobs(tx, queues, MOST_SHOWN)])


async def retry_job(tx: Tx, call: Call[None, None], job_id: str) -> RetriedJob:
    """Give a job that was given up fresh attempts."""
    if not await retry_dead(tx, JobId(job_id)):
        raise NotFound
    await audit.record(tx, actor_of(call.caller), "job.retry", job_id)
    return RetriedJob(job_id)


def _show(job: SeenJob) -> JobView:
    return JobView(job.id, job.kind, job.state, job.attempts, clock.now_ms() + job.due_in_ms, job.error)


ENDPOINTS = [
    Endpoint(
        "GET", "/jobs", list_background_jobs, QueueView, scope=ADMIN,
        example={
            "counts": [{"kind": "media.process", "state": "dead", "number": 1, "oldestMs": 0}],
            "jobs": [{
                "id": "job_01kbr2x4q8e9w6y3t7n5m1c0vz", "kind": "media.process", "state": "dead", "attempts": 8,
                "dueAt": 1794700000000, "error": "the store cannot be reached",
            }],
        },
    ),
    Endpoint(
        "POST", "/jobs/{job_id}/retry", retry_job, RetriedJob, scope=ADMIN, errors=[NotFound],
        example={"id": "job_01kbr2x4q8e9w6y3t7n5m1c0vz", "retried": True},
    ),
]  # fmt: skip
