"""Worker processes die at any instruction, and every job still has its effect exactly once."""

import asyncio
import random

from stowboard.db.database import Database, Tx
from stowboard.jobs import queue
from stowboard.jobs.registry import NoArgs
from support.database.statements import execute, rows
from support.jobs import torture_worker
from support.jobs.working import no_jobs_left
from support.processes.scripts import begin_script, end_script
from support.rounds import rounds
from support.waiting import until

KILLS = rounds(6, 12)
JOBS_EACH = 20


async def test_every_job_has_one_effect_although_its_workers_are_killed(database: Database, database_url: str) -> None:
    await execute(database, "CREATE TABLE effect (job TEXT, attempt BIGINT)")
    ordered: list[str] = []
    workers = [await begin_script(torture_worker, database_url) for _ in range(2)]
    try:
        rounds = 0
        while rounds < KILLS or not await retried(database):  # a kill that hits no running job proves nothing
            rounds += 1
            assert rounds < 20 * KILLS
            ordered += await database.transact(order_some)
            await asyncio.sleep(random.uniform(0.02, 0.3))
            victim = random.randrange(2)
            end_script(workers[victim])
            workers[victim] = await begin_script(torture_worker, database_url)
        await until(lambda: no_jobs_left(database))
    finally:
        for worker in workers:
            end_script(worker)
    effects = await rows(database, "SELECT job, attempt FROM effect")
    assert sorted(job for job, _ in effects) == sorted(ordered)


async def retried(database: Database) -> bool:
    return bool(await rows(database, "SELECT 1 FROM effect WHERE attempt > 1 LIMIT 1"))


async def order_some(tx: Tx) -> list[str]:
    return [await queue.enqueue(tx, torture_worker.TORTURED, NoArgs()) for _ in range(JOBS_EACH)]
