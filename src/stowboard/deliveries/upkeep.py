"""Periodic upkeep of deliveries, and removing the log of a destination that is gone."""

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.deliver import DELIVER, Deliverer, deliver_later
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind, NoArgs
from stowboard.jobs.schedule import PeriodicJob

BATCH = 500


class ClearArgs(msgspec.Struct, frozen=True):
    destination_id: str


async def clear_later(tx: Tx, destination_id: str) -> None:
    await enqueue(tx, CLEAR, ClearArgs(destination_id), dedup=destination_id)


async def clear(job: Job, args: ClearArgs) -> None:
    """Remove the log of a destination that is gone."""
    while await job.db.transact(delivery_store.forget_of, args.destination_id, BATCH) == BATCH:
        pass


async def keep_up(job: Job, _: NoArgs) -> None:
    """Forget deliveries as old as forgotten events, and order again the jobs of destinations that were given up."""
    deliverer = job.use(Deliverer)
    before = clock.now_ms() - deliverer.kept_ms
    while await job.db.transact(delivery_store.forget_before, before, BATCH) == BATCH:
        pass
    for destination_id in await job.db.read(delivery_store.find_unattended, DELIVER.name, BATCH):
        destination = await job.db.read(deliverer.kind_of(destination_id).find, destination_id)
        if destination is not None and destination.enabled:
            await job.db.transact(deliver_later, destination_id, destination.owner)


CLEAR = JobKind("deliveries.clear", "sweep", clear, args=ClearArgs)
KEEP_UP = JobKind("deliveries.keep_up", "sweep", keep_up, args=NoArgs)
JOBS: list[AnyKind] = [DELIVER, CLEAR, KEEP_UP]
PERIODICS = [PeriodicJob("deliveries.keep_up", 60_000, KEEP_UP, NoArgs())]
