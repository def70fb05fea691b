"""`stowboard jobs`: what waits, runs and was given up."""

from typing import Any

import typer

from stowboard.catalogue import QUEUES
from stowboard.cli.on_database import fail, on_database
from stowboard.db.database import Database
from stowboard.jobs.lease import JobId
from stowboard.jobs.overview import JobState, SeenJob, list_jobs
from stowboard.jobs.queue import DeadJob, dead_jobs, retry_dead
from stowboard.settings import Settings

_MOST_SHOWN = 200
_UNITS = ((86_400_000, "days"), (3_600_000, "hours"), (60_000, "minutes"), (1000, "seconds"))


def show_all(settings: Settings) -> None:
    jobs = on_database(settings, _list)
    for job in jobs:
        error = f": {job.error}" if job.error else ""
        typer.echo(f"{job.state:8} {job.id}  {job.kind}  {_when(job)}, {job.attempts} attempts{error}")
    if not jobs:
        typer.echo("No job waits, runs or was given up.")


def show_dead(settings: Settings) -> None:
    jobs = on_database(settings, _dead)
    for job in jobs:
        typer.echo(f"{job.id}  {job.kind}  after {job.attempts} attempts: {job.error}")
    if not jobs:
        typer.echo("No job was given up.")


def retry(settings: Settings, job_id: str) -> None:
    if not on_database(settings, _retry, JobId(job_id)):
        fail(f"there is no dead job {job_id}; `stowboard jobs dead` shows those that there are.")
    typer.echo(f"{job_id} will be tried again.")


async def _list(db: Database) -> list[SeenJob]:
    return await db.read(list_jobs, QUEUES, _MOST_SHOWN)


async def _dead(db: Database) -> list[DeadJob]:
    return await db.read(dead_jobs, _MOST_SHOWN)


async def _retry(db: Database, job_id: JobId) -> bool:
    return await db.transact(retry_dead, job_id)


def _when(job: SeenJob) -> str:
    if job.state is JobState.RUNNING:
        return f"held for {_span(job.due_in_ms)} more"
    if job.state is JobState.RETRIED:
        return f"again in {_span(job.due_in_ms)}"
    return f"{'died' if job.state is JobState.DEAD else 'due'} {_span(-job.due_in_ms)} ago"


def _span(milliseconds: Any) -> str:
    for unit, name in _UNITS:
        if milliseconds >= 2 * unit:
            return f"{milliseconds // unit} {name}"
    return "a moment"
