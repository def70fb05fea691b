"""Background jobs, for admins."""

from stowboard_client.transport.call import Call, Model, data, path
from stowboard_client.transport.resource import D, Operation, Resource


class JobCount(Model, frozen=True, kw_only=True):
    kind: str
    #: `waiting`, `running`, `retried` or `dead`.
    state: str
    number: int
    oldest_ms: int


class Job(Model, frozen=True, kw_only=True):
    id: str
    kind: str
    state: str
    attempts: int
    due_at: int
    error: str | None


class Queue(Model, frozen=True, kw_only=True):
    counts: tuple[JobCount, ...]
    #: At most 100; those that were given up come first.
    jobs: tuple[Job, ...]


class RetriedJob(Model, frozen=True, kw_only=True):
    id: str
    retried: bool


def get_queue() -> Call[Queue]:
    """What waits, runs and was given up."""
    return Call("GET", "/jobs", data(Queue))


def retry_job(job_id: str, *, idempotency_key: str | None = None) -> Call[RetriedJob]:
    """Give a job that was given up fresh attempts."""
    return Call("POST", path("/jobs/{}/retry", job_id), data(RetriedJob), idempotency_key=idempotency_key)


class Jobs(Resource[D]):
    get = Operation("listBackgroundJobs", get_queue)
    retry = Operation("retryJob", retry_job)
