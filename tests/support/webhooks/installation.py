"""All that sends webhooks, around a database of a test: feed, fan-out, worker and the guarded client."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgspec

from stowboard.core.caller import Access, Caller, TokenId, TokenKind
from stowboard.core.reach import Reach, Role
from stowboard.core.sealing import Sealing
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.deliveries import delivery_store, upkeep
from stowboard.deliveries.deliver import Deliverer
from stowboard.deliveries.delivery import Delivery
from stowboard.deliveries.settings import DeliverySettings
from stowboard.events import kinds
from stowboard.events.kinds import TaskChanged
from stowboard.events.outbox import emit
from stowboard.events.sequencer import Sequencer
from stowboard.http.outgoing.addresses import OutgoingSettings
from stowboard.http.outgoing.client import Outgoing
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from stowboard.webhooks import manage, webhook_store
from stowboard.webhooks.fan_out import FanOut
from stowboard.webhooks.sending import WebhookSender
from stowboard.webhooks.webhook import Webhook
from stowboard.webhooks.wire import CreateWebhookBody
from support.database.statements import rows

#: Of hundredths of seconds where the service has minutes.
FAST = DeliverySettings(pauses_s=(0.02, 0.04, 0.06, 0.08), seconds=2.0, rest_s=0.02, longest_rest_s=0.1, turn_s=1.0)
KEY = b"a key of the tests"
SCOPES = frozenset({"tasks:read", "media:read", "webhooks:manage"})
#: Who makes and changes the webhooks.
ALICE = Access(
    Caller(TokenId("tok"), "alice", SCOPES, None, TokenKind.AUTOMATION, Reach.of_owner("alice")), Role.MANAGER
)


class NoResources:
    async def find(self, *_: object) -> msgspec.Raw | None:
        return None


@dataclass
class Installation:
    db: Database
    seal: Sealing

    async def webhook(self, url: str, *types: str, owner: str = "alice") -> tuple[Webhook, str]:
        """It and its secret."""
        access = Access(msgspec.structs.replace(ALICE.caller, owner=owner, reach=Reach.of_owner(owner)), Role.MANAGER)
        wanted = CreateWebhookBody(url=url, types=list(types or ["*"]))
        return await self.db.transact(manage.create_webhook, access, self.seal, "https://stow.example", wanted)

    async def tell(self, subject: str, version: int = 1, owner: str = "alice") -> str:
        """An event; its id."""
        return await self.db.transact(_tell, owner, subject, version)

    async def delivery(self, webhook: Webhook, event_id: str) -> Delivery | None:
        return await self.db.read(delivery_store.find, webhook.id, event_id)

    async def present(self, webhook: Webhook) -> Webhook:
        found = await self.db.read(webhook_store.find, webhook.id)
        assert found is not None
        return found

    async def statuses(self, webhook: Webhook) -> list[str]:
        """Oldest event first."""
        found = await self.db.read(delivery_store.list_newest, webhook.id, None, None, 10_000)
        return [str(delivery.status) for delivery in reversed(found.items)]

    async def are(self, webhook: Webhook, statuses: list[str]) -> bool:
        return await self.statuses(webhook) == statuses

    async def are_all(self, webhook: Webhook, status: str) -> bool:
        return set(await self.statuses(webhook)) == {status}

    async def has_failed(self, webhook: Webhook, times: int) -> bool:
        return (await self.present(webhook)).failures >= times

    async def is_disabled(self, webhook: Webhook) -> bool:
        return not (await self.present(webhook)).enabled

    async def is_left_alone(self, webhook: Webhook) -> bool:
        """True if nobody is about to send to it."""
        sql = "SELECT 1 FROM job WHERE dedup = $1 AND (due < now_ms() + 100000 OR token IS NOT NULL)"
        return await rows(self.db, sql, webhook.id) == []

    async def is_handed_out(self) -> bool:
        sql = "SELECT feed.position - webhook_head.position FROM feed, webhook_head"
        return await rows(self.db, sql) == [(0,)]

    async def is_placed(self, event_id: str) -> bool:
        return await rows(self.db, "SELECT 1 FROM event WHERE id = $1 AND position IS NOT NULL", event_id) != []

    async def is_empty(self, table: str) -> bool:
        return await rows(self.db, f"SELECT 1 FROM {table}") == []


async def _tell(tx: Tx, owner: str, subject: str, version: int) -> str:
    return await emit(tx, kinds.TASK_UPDATED, owner, subject, TaskChanged(subject, version, ["title"]))


@asynccontextmanager
async def sending(
    db: Database, settings: DeliverySettings = FAST, jobs: JobSettings | None = None
) -> AsyncIterator[Installation]:
    services = Services()
    outgoing = Outgoing(OutgoingSettings(("127.0.0.0/8",)))
    seal = Sealing(None, KEY)
    services.add(Database, db)
    services.add(Outgoing, outgoing)
    services.add(Sealing, seal)
    services.add(Deliverer, Deliverer())
    services.use(Deliverer).add("whk", WebhookSender(outgoing, seal, NoResources(), settings))
    worker = Worker(db, services, upkeep.JOBS, (), jobs or JobSettings({"deliver": 16}, lease_ms=2000, poll_ms=50))
    sequencer, fan_out = Sequencer(db), FanOut(db)
    for part in (worker, sequencer, fan_out):
        part.start()
    try:
        yield Installation(db, seal)
    finally:
        await fan_out.stop()
        await sequencer.stop()
        await worker.stop(0.1)
        outgoing.close()
