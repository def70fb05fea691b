"""The composition root: builds every component from the settings."""

import logging
from collections.abc import Awaitable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base.refusals import RefusalLog
from stowboard.access.bearers import find_living, lock_living
from stowboard.access.open import open_access
from stowboard.access.owners import Owners
from stowboard.access.scopes import SCOPES
from stowboard.access.signing_keys import (
    load_digest_key,
    load_digest_keys,
    load_installation,
    load_push_key,
    load_signing_keys,
)
from stowboard.agents.routes import agents_routes
from stowboard.api.admission import Admission
from stowboard.api.endpoint import BASE_PATH
from stowboard.api.gateway import Gateway
from stowboard.api.health import Health
from stowboard.api.limits.rule import Limiter, RateLimitRule
from stowboard.api.limits.shared_memory import SharedLimiter
from stowboard.api.limits.valkey_address import ValkeyAddress
from stowboard.api.perform import Performer
from stowboard.api.pipeline import Pipeline
from stowboard.api.time_zones import Memberships, TimeZones
from stowboard.blobs.open import open_blobs
from stowboard.blobs.store import BlobStore, LocalFiles
from stowboard.catalogue import ENDPOINTS, JOBS, PERIODICS, QUEUES
from stowboard.core.background_loop import BackgroundLoop
from stowboard.core.log import FLUSH_SECONDS, AccessLog
from stowboard.core.scopes import Scopes
from stowboard.core.sealing import Sealing
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey, Keyring
from stowboard.db.database import Database
from stowboard.deliveries.deliver import Deliverer
from stowboard.events.changes.settings import HistorySettings
from stowboard.events.changes.undo import Undoing
from stowboard.events.hub import Hub
from stowboard.events.mail.mailer import Mailer
from stowboard.events.sequencer import Sequencer
from stowboard.events.settings import EventSettings
from stowboard.http.asgi import Message, Receive, Send, serve_asgi
from stowboard.http.body_memory import BodyMemory
from stowboard.http.crowd import Crowd
from stowboard.http.exchange import Exchange
from stowboard.http.granian.rsgi import RsgiExchange
from stowboard.http.handing_over import FileHandover
from stowboard.http.origin import Origins
from stowboard.http.outgoing.client import Outgoing
from stowboard.http.proxies import Proxies
from stowboard.jobs.overview import QueueNames
from stowboard.jobs.worker import Worker
from stowboard.media import routes as media_routes
from stowboard.media.base.uses import MediaUses
from stowboard.media.delivery.cdn_routes import DELIVERY
from stowboard.media.open import open_media
from stowboard.media.undo_routes import AssetUndo, VideoUndo
from stowboard.media.uploads.tus.turns import UploadTurns
from stowboard.notifications.hand_out import NotificationReader
from stowboard.notifications.sender import NotificationSender
from stowboard.notifications.webpush import PushKey
from stowboard.platform_routes import platform_routes
from stowboard.ports import Accounts, AttachedMedia, BoardUndo, ForImports, TaskOwners, TaskUndo, TaskUses
from stowboard.resources import ApiResources
from stowboard.settings import Settings
from stowboard.tasks.base.library import Library
from stowboard.tasks.imports.part_work import ImportPorts
from stowboard.webhooks.fan_out import FanOut
from stowboard.webhooks.sending import WebhookSender

KEYS_REFRESH_SECONDS = 15.0
USES_SECONDS = 10.0
log = logging.getLogger("stowboard")


class ServerApplication:
    """The service in one process. Answers requests between `start` and `stop`."""

    def __init__(self, settings: Settings, db: Database) -> None:
        """The database must be up to date; it is closed by `stop`."""
        self._settings, self._db = settings, db
        self._closing = AsyncExitStack()
        self._loops: list[BackgroundLoop] = []
        self._worker: Worker | None = None
        self._sequencer, self._readers = Sequencer(db), (FanOut(db), NotificationReader(db))

    async def start(self) -> None:
        settings = self._settings
        self._closing.push_async_callback(self._db.close)
        self.services = await build_services(settings, self._db, self._closing)
        self._access_log = AccessLog(settings.logs_for_people) if settings.access_log else None
        self.health = Health({"database": self._ask_database}, {"blobs": self._ask_blobs})
        self._hub = Hub(self._db, find_living, settings.events.streams_per_token)
        self.services.add(Hub, self._hub)
        self._gateway = self._build_gateway()
        self._at_once = self._paths_at_once()
        if settings.jobs_in_server:
            self._worker = Worker(self._db, self.services, JOBS, PERIODICS, settings.jobs)
            self._worker.start()
        self._sequencer.start()
        self._hub.start()
        for reader in self._readers:
            reader.start()
        self._loops = [
            BackgroundLoop(log, "reading keys", self._refresh_keys, first_s=KEYS_REFRESH_SECONDS),
            BackgroundLoop(log, "writing down when tokens were used", self._write_uses, first_s=USES_SECONDS),
        ]
        if self._access_log is not None:
            self._loops.append(BackgroundLoop(log, "writing the access log", self._flush_access_log))
        for loop in self._loops:
            loop.start()

    def interrupt(self) -> None:
        """End uploads and event streams: a stop need not wait for the last byte of a film.

        Uploads keep what they have, and the clients of both go on later.
        """
        self.services.use(UploadTurns).stop()
        self._hub.refuse()

    def drain(self) -> None:
        """Go on as before, but let load balancers and clients turn to other nodes."""
        self.health.draining = True
        self._gateway.drain()
        self._hub.end_all()

    async def stop(self, seconds: float | None = None) -> None:
        """Stop what still runs when requests have ended. Jobs get these seconds, by default `stop_seconds`."""
        if self._worker is not None:
            await self._worker.stop(self._settings.stop_seconds if seconds is None else seconds)
        await self._hub.stop()
        for reader in self._readers:
            await reader.stop()
        await self._sequencer.stop()
        for loop in self._loops:
            await loop.stop()
        if self._access_log is not None:
            self._access_log.flush()
        await self._closing.aclose()

    def answers_at_once(self, exchange: Exchange) -> bool:
        """True for a request that hardly ever waits: a read that finds all it needs in this process."""
        return exchange.method == "GET" and exchange.path.startswith(self._at_once)

    def handle(self, exchange: Exchange) -> Coroutine[Any, Any, None]:
        return self._gateway.handle(exchange)

    def __rsgi__(self, scope: Any, protocol: Any) -> Awaitable[None]:
        return self.handle(RsgiExchange(scope, protocol))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        await serve_asgi(lambda exchange: self._gateway.handle(exchange), self.start, self.stop, scope, receive, send)

    def _paths_at_once(self) -> tuple[str, ...]:
        if self._db.dialect != "sqlite" or self._settings.valkey_url is not None:
            return ()
        return (BASE_PATH, DELIVERY) if isinstance(self.services.use(BlobStore), LocalFiles) else (BASE_PATH,)

    def _build_gateway(self) -> Gateway:
        services, settings = self.services, self._settings
        proxies = services.use(Proxies)
        origins = Origins(settings.public_url, proxies, settings.host)
        crowd, memory = Crowd(settings.crowd, proxies, settings.port), BodyMemory(settings.body_memory)
        limiter = services.use(Limiter)
        note = RefusalLog(self._db).note_admin
        key = services.use(DigestKey)
        authenticator = services.use(TokenAuthenticator)
        again = authenticator.look_up_again
        performer = Performer(ENDPOINTS, self._db, services, key, note, lock_living, again)
        admission = Admission(authenticator, limiter, proxies, key)
        services.add(Admission, admission)
        pipeline = Pipeline(performer, admission)
        routes = [
            *self.health.routes(),
            *platform_routes(services, origins, settings),
            *agents_routes(performer, services, origins, memory, settings.agents),
        ]
        below = media_routes.HEADERS_BELOW
        return Gateway(pipeline, routes, origins, limiter.rule, self._access_log, proxies, crowd, memory, below)

    async def _ask_database(self) -> None:
        await self._db.read(lambda tx: tx.one("SELECT 1"))

    async def _ask_blobs(self) -> None:
        await self.services.use(BlobStore).check()

    async def _refresh_keys(self) -> float:
        self.services.use(Keyring).replace(await self._db.read(load_signing_keys, self._settings.keys))
        self.services.use(DigestKey).renew(await self._db.read(load_digest_keys, self._settings.keys))
        return KEYS_REFRESH_SECONDS

    async def _write_uses(self) -> float:
        await self.services.use(TokenAuthenticator).write_uses()
        return USES_SECONDS

    async def _flush_access_log(self) -> float:
        assert self._access_log is not None
        self._access_log.flush()
        return FLUSH_SECONDS


async def build_services(settings: Settings, db: Database, closing: AsyncExitStack) -> Services:
    """The components that endpoints and jobs may ask for. Those that have to be closed are put on the stack."""
    services = Services()
    digest_key = await db.read(load_digest_key, settings.keys)
    services.add(Database, db)
    services.add(Scopes, SCOPES)
    services.add(QueueNames, QueueNames(QUEUES))
    services.add(EventSettings, settings.events)
    services.add(HistorySettings, settings.history)
    services.add(Sealing, Sealing(settings.sealing_key, own=bytes(digest_key)))
    services.add(DigestKey, digest_key)
    services.add(Keyring, Keyring(await db.read(load_signing_keys, settings.keys)))
    services.add(TokenAuthenticator, TokenAuthenticator(db, digest_key, SCOPES))
    services.add(Limiter, await _open_limiter(settings, closing))
    services.add(Proxies, Proxies(settings.trusted_proxies))
    services.add(FileHandover, FileHandover(settings.handing_over))
    outgoing = Outgoing(settings.outgoing)
    closing.callback(outgoing.close)
    services.add(Outgoing, outgoing)
    services.add(Mailer, Mailer(settings.mail))
    open_access(settings.access, services, await db.read(load_installation))
    blobs = open_blobs(settings.blobs)
    closing.push_async_callback(blobs.close)
    services.add(BlobStore, blobs)
    services.add(TimeZones, Accounts())
    services.add(Memberships, Accounts())
    push_key = PushKey(await db.read(load_push_key))
    sender = NotificationSender(outgoing, services.use(Sealing), push_key, settings.notifications)
    services.add(NotificationSender, sender)
    deliverer = Deliverer(settings.events.kept_ms)
    deliverer.add("whk", WebhookSender(outgoing, services.use(Sealing), ApiResources(services)))
    deliverer.add("chn", sender)
    services.add(Deliverer, deliverer)
    services.add(Library, AttachedMedia())
    services.add(ImportPorts, ForImports(db, services.use(BlobStore), settings.media))
    services.add(Undoing, Undoing({"tsk": TaskUndo(), "brd": BoardUndo(), "ast": AssetUndo(), "vid": VideoUndo()}))
    services.add(MediaUses, TaskUses())
    open_media(settings.media, services, closing)
    services.add(Owners, TaskOwners())
    return services


async def _open_limiter(settings: Settings, closing: AsyncExitStack) -> Limiter:
    local = SharedLimiter(RateLimitRule(settings.rate_limit), settings.database.url)
    closing.callback(local.close)
    if settings.valkey_url is None:
        return local
    from stowboard.api.limits.valkey import SpreadLimiter, ValkeyLimiter

    addresses = ValkeyAddress.parse_all(settings.valkey_url)
    shared = ValkeyLimiter(addresses[0], local) if len(addresses) == 1 else SpreadLimiter(addresses, local)
    await shared.open()
    closing.push_async_callback(shared.close)
    return shared
