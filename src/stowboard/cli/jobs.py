"""`stowboard jobs`: background jobs that wait, run or were given up."""

from argparse import ArgumentParser, Namespace

from stowboard.catalogue import QUEUES
from stowboard.cli.exits import fail
from stowboard.cli.on_database import in_transaction, read_only
from stowboard.core.plain_text import shown_line
from stowboard.core.wording import counted
from stowboard.jobs.lease import JobId
from stowboard.jobs.overview import JobOverview, JobStatus, list_jobs
from stowboard.jobs.queue import dead_jobs, retry_dead
from stowboard.settings import Settings

_MOST_SHOWN = 200
_UNITS = ((86_400_000, "days"), (3_600_000, "hours"), (60_000, "minutes"), (1000, "seconds"))


def list_waiting(settings: Settings, _: Namespace) -> None:
    """List background jobs: those that wait, run, will be tried again, or were given up.

    `stowboard jobs dead` says why jobs were given up; `stowboard jobs retry JOB_ID` gives one fresh attempts.
    """
    jobs = read_only(settings, list_jobs, QUEUES, None, None, _MOST_SHOWN).items
    for job in jobs:
        tried = counted(job.attempts, "attempt") + (f": {job.error}" if job.error else "")
        print(shown_line(f"{job.status:8} {job.id}  {job.kind}  {_when(job)}, {tried}"))
    if not jobs:
        print("No job waits, runs or was given up.")


def _when(job: JobOverview) -> str:
    if job.status is JobStatus.RUNNING:
        return f"held for {_span(job.due_in_ms)} more"
    if job.status is JobStatus.RETRIED:
        return f"again in {_span(job.due_in_ms)}"
    return f"{'died' if job.status is JobStatus.DEAD else 'due'} {_span(-job.due_in_ms)} ago"


def _span(milliseconds: int) -> str:
    for unit, name in _UNITS:
        if milliseconds >= 2 * unit:
            return f"{milliseconds // unit} {name}"
    return "a moment"


def list_dead(settings: Settings, _: Namespace) -> None:
    """List the jobs that were given up because their attempts are used up, latest first."""
    jobs = read_only(settings, dead_jobs, _MOST_SHOWN)
    for job in jobs:
        print(shown_line(f"{job.id}  {job.kind}  after {counted(job.attempts, 'attempt')}: {job.error}"))
    if not jobs:
        print("No job was given up.")


def retry_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("job_id", metavar="JOB_ID", help="job_…, as `stowboard jobs dead` shows it")


def retry(settings: Settings, given: Namespace) -> None:
    """Give a dead job fresh attempts."""
    if not in_transaction(settings, retry_dead, JobId(given.job_id)):
        fail(f"there is no dead job {given.job_id}. See: stowboard jobs dead.")
    print(f"{given.job_id} will be tried again.")
