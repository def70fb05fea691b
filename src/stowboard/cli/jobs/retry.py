"""Give a dead job fresh attempts."""

from argparse import ArgumentParser, Namespace

from stowboard.cli.exits import fail
from stowboard.cli.on_database import in_transaction
from stowboard.jobs.lease import JobId
from stowboard.jobs.queue import retry_dead
from stowboard.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("job_id", metavar="JOB_ID", help="job_…, as `stowboard jobs dead` shows it")


def run(settings: Settings, given: Namespace) -> None:
    if not in_transaction(settings, retry_dead, JobId(given.job_id)):
        fail(f"there is no dead job {given.job_id}. See: stowboard jobs dead.")
    print(f"{given.job_id} will be tried again.")
