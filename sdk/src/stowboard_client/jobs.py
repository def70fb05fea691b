"""Background jobs, for admins."""

from typing import Literal, TypeAlias

from stowboard_client.transport.call import Call, Model, data, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource

JobStatus: TypeAlias = Literal["waiting", "running", "retried", "dead"]


class Job(Model, frozen=True, kw_only=True):
    id: str
    kind: str
    status: str
    attempts: int
    due_at: int
    error: str | None


class JobCount(Model, frozen=True, kw_only=True):
    """How many jobs of one kind are in one status."""

    kind: str
    status: str
    count: int
    oldest_ms: int


class RetriedJob(Model, frozen=True, kw_only=True):
    id: str
    retried: bool


def list_jobs(*, status: JobStatus | None = None, limit: int | None = None) -> Call[Page[Job]]:
    """Jobs that wait, run, will be tried again or were given up, newest first."""
    return Call("GET", "/jobs", whole(Page[Job]), query={"status": status, "limit": limit})


def count_jobs() -> Call[tuple[JobCount, ...]]:
    """How many jobs there are, by kind and status."""
    return Call("GET", "/jobs/counts", data(tuple[JobCount, ...]))


def retry_job(job_id: str, *, idempotency_key: str | None = None) -> Call[RetriedJob]:
    """Give a job that was given up fresh attempts."""
    return Call("POST", path("/jobs/{}/retry", job_id), data(RetriedJob), idempotency_key=idempotency_key)


class Jobs(Resource[D]):
    list = Listing("listBackgroundJobs", list_jobs)
    count = Operation("countBackgroundJobs", count_jobs)
    retry = Operation("retryJob", retry_job)
