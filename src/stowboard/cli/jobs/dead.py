"""List the jobs that were given up because their attempts are used up, latest first."""

from argparse import Namespace

from stowboard.cli.counted import counted
from stowboard.cli.on_database import read_only
from stowboard.core.plain_text import shown_line
from stowboard.jobs.queue import dead_jobs
from stowboard.settings import Settings

_MOST_SHOWN = 200


def run(settings: Settings, _: Namespace) -> None:
    jobs = read_only(settings, dead_jobs, _MOST_SHOWN)
    for job in jobs:
        print(shown_line(f"{job.id}  {job.kind}  after {counted(job.attempts, 'attempt')}: {job.error}"))
    if not jobs:
        print("No job was given up.")
