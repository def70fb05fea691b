"""List the jobs that were given up because their attempts are used up, latest first."""

from argparse import Namespace

from stowboard.cli.counted import counted
from stowboard.cli.on_database import on_database
from stowboard.core.plain_text import shown_line
from stowboard.db.database import Database
from stowboard.jobs.queue import DeadJob, dead_jobs
from stowboard.settings import Settings

_MOST_SHOWN = 200


def run(settings: Settings, _: Namespace) -> None:
    jobs = on_database(settings, _list)
    for job in jobs:
        print(shown_line(f"{job.id}  {job.kind}  after {counted(job.attempts, 'attempt')}: {job.error}"))
    if not jobs:
        print("No job was given up.")


async def _list(db: Database) -> list[DeadJob]:
    return await db.read(dead_jobs, _MOST_SHOWN)
