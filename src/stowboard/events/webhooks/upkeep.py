"""Periodic upkeep of webhooks, and removing the log of a deleted one."""

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events.settings import EventSettings
from stowboard.events.webhooks import delivery_store, webhook_store
from stowboard.events.webhooks.deliver import DELIVER, deliver_later
from stowboard.jobs.queue import enqueue, is_ordered
from stowboard.jobs.registry import AnyKind, Job, JobKind, NoArgs
from stowboard.jobs.schedule import PeriodicJob

BATCH = 500


class ClearArgs(msgspec.Struct, frozen=True):
    webhook_id: str


async def clear_later(tx: Tx, webhook_id: str) -> None:
    await enqueue(tx, CLEAR, ClearArgs(webhook_id), dedup=webhook_id)


async def clear(job: Job, args: ClearArgs) -> None:
    """Remove the log of a webhook that is gone."""
    while await job.db.transact(delivery_store.forget_of, args.webhook_id, BATCH) == BATCH:
        pass


async def keep_up(job: Job, _: NoArgs) -> None:
    """Forget deliveries as old as forgotten events, and order again the jobs of webhooks that were given up."""
    before = clock.now_ms() - job.use(EventSettings).kept_ms
    while await job.db.transact(delivery_store.forget_before, before, BATCH) == BATCH:
        pass
    for webhook in await job.db.read(webhook_store.list_enabled):
        if not await job.db.read(_is_looked_after, webhook.id):
            await job.db.transact(deliver_later, webhook)


async def _is_looked_after(tx: Tx, webhook_id: str) -> bool:
    return await is_ordered(tx, DELIVER, webhook_id) or await delivery_store.next_due(tx, webhook_id) is None


CLEAR = JobKind("webhooks.clear", "sweep", clear, args=ClearArgs)
KEEP_UP = JobKind("webhooks.keep_up", "sweep", keep_up, args=NoArgs)
JOBS: list[AnyKind] = [DELIVER, CLEAR, KEEP_UP]
PERIODICS = [PeriodicJob("webhooks.keep_up", 60_000, KEEP_UP, NoArgs())]
