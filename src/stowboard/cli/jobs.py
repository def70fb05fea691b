"""`stowboard jobs`: what the workers gave up."""

import time

import typer

from stowboard.cli.on_database import fail, on_database
from stowboard.db.database import Database
from stowboard.jobs.lease import JobId
from stowboard.jobs.queue import DeadJob, dead_jobs, retry_dead
from stowboard.settings import Settings

_MOST_SHOWN = 200


def show_dead(settings: Settings) -> None:
    jobs = on_database(settings, _dead)
    for job in jobs:
        died = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(job.died_at / 1000))
        typer.echo(f"{job.id}  {job.kind}  {died}  after {job.attempts} attempts: {job.error}")
    if not jobs:
        typer.echo("No job was given up.")


def retry(settings: Settings, job_id: str) -> None:
    if not on_database(settings, _retry, JobId(job_id)):
        fail(f"there is no dead job {job_id}; `stowboard jobs dead` shows those that there are.")
    typer.echo(f"{job_id} will be tried again.")


async def _dead(db: Database) -> list[DeadJob]:
    return await db.read(dead_jobs, _MOST_SHOWN)


async def _retry(db: Database, job_id: JobId) -> bool:
    return await db.transact(retry_dead, job_id)
