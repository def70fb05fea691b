"""Give a dead job fresh attempts."""

from argparse import ArgumentParser, Namespace

from stowboard.cli.exits import fail
from stowboard.cli.on_database import on_database
from stowboard.db.database import Database
from stowboard.jobs.lease import JobId
from stowboard.jobs.queue import retry_dead
from stowboard.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("job_id", metavar="JOB_ID", help="job_…, as `stowboard jobs dead` shows it")


def run(settings: Settings, given: Namespace) -> None:
    if not on_database(settings, _retry, JobId(given.job_id)):
        fail(f"there is no dead job {given.job_id}. See: stowboard jobs dead.")
    print(f"{given.job_id} will be tried again.")


async def _retry(db: Database, job_id: JobId) -> bool:
    return await db.transact(retry_dead, job_id)
