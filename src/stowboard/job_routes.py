"""Background work over the API, for admins: the jobs that wait, run or were given up, and another try for one."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery, given
from stowboard.core import clock
from stowboard.core.errors import NotFound
from stowboard.core.scopes import ADMIN
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of
from stowboard.jobs.lease import JobId
from stowboard.jobs.overview import JobOverview, JobStatus, QueueNames, count_jobs, list_jobs
from stowboard.jobs.queue import retry_dead


class JobQuery(PageQuery, frozen=True):
    """Which jobs to list."""

    status: Annotated[JobStatus, Meta(description="Only jobs in this status.")] | UnsetType = UNSET


class JobView(msgspec.Struct, frozen=True, rename="camel"):
    """A job."""

    id: str
    kind: str
    status: JobStatus
    attempts: int
    due_at: Annotated[
        int, Meta(description="When it is due; while it runs, the end of its lease; if it was given up, when.")
    ]
    error: Annotated[str, Meta(description="Why the last attempt failed.")] | None


class JobCount(msgspec.Struct, frozen=True, rename="camel"):
    """How many jobs of one kind are in one status."""

    kind: str
    status: JobStatus
    count: int
    oldest_ms: Annotated[int, Meta(description="How long ago the first of them was due; 0 if none was.")]


class RetriedJob(msgspec.Struct, frozen=True, rename="camel"):
    """A job that has fresh attempts."""

    id: str
    retried: bool = True


async def list_background_jobs(tx: Tx, call: Call[None, JobQuery]) -> Answer:
    """List background jobs that wait, run, will be tried again or were given up, newest first."""
    status = given(call.query.status)
    page = Page(call, "jobs", status)
    listed = await list_jobs(tx, call.use(QueueNames).names, status, page.after, page.size)
    return page.answer([_show(job) for job in listed.items], listed.end)


async def count_background_jobs(tx: Tx, call: Call[None, None]) -> list[JobCount]:
    """Count background jobs by kind and status."""
    return [JobCount(*each) for each in await count_jobs(tx, call.use(QueueNames).names)]


async def retry_job(tx: Tx, call: Call[None, None], job_id: str) -> RetriedJob:
    """Give a job that was given up fresh attempts."""
    if not await retry_dead(tx, JobId(job_id)):
        raise NotFound
    await audit.record(tx, actor_of(call.caller), "job.retry", job_id)
    return RetriedJob(job_id)


def _show(job: JobOverview) -> JobView:
    return JobView(job.id, job.kind, job.status, job.attempts, clock.now_ms() + job.due_in_ms, job.error)


ENDPOINTS = [
    Endpoint(
        "GET", "/jobs", list_background_jobs, list[JobView], scope=ADMIN, query=JobQuery, meta=PageMeta,
        example=[{
            "id": "job_01kbr2x4q8e9w6y3t7n5m1c0vz", "kind": "media.process", "status": "dead", "attempts": 8,
            "dueAt": 1794700000000, "error": "the store cannot be reached",
        }],
    ),
    Endpoint(
        "GET", "/jobs/counts", count_background_jobs, list[JobCount], scope=ADMIN,
        example=[{"kind": "media.process", "status": "dead", "count": 1, "oldestMs": 0}],
    ),
    Endpoint(
        "POST", "/jobs/{job_id}/retry", retry_job, RetriedJob, scope=ADMIN,
        example={"id": "job_01kbr2x4q8e9w6y3t7n5m1c0vz", "retried": True},
    ),
]  # fmt: skip
