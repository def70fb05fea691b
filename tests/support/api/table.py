"""A table of endpoints behind the whole of the pipeline, without a server."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx2

from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.scopes import SCOPES
from stowboard.api.admission import Admission
from stowboard.api.endpoint import MEBIBYTE, AnyEndpoint
from stowboard.api.gateway import Gateway
from stowboard.api.limits.rule import RateLimitRule, RateLimitSettings
from stowboard.api.limits.shared_memory import SharedLimiter
from stowboard.api.perform import Performer
from stowboard.api.pipeline import Pipeline
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database
from stowboard.http.asgi import Message, Receive, Send, serve_asgi
from stowboard.http.body_memory import BodyMemory
from stowboard.http.crowd import Crowd, CrowdSettings
from stowboard.http.origin import Origins
from stowboard.http.proxies import Proxies

KEY = DigestKey(b"k" * 32)


@asynccontextmanager
async def serve_table(
    database: Database,
    database_url: str,
    endpoints: Sequence[AnyEndpoint],
) -> AsyncIterator[httpx2.AsyncClient]:
    limiter = SharedLimiter(RateLimitRule(RateLimitSettings()), database_url)
    proxies = Proxies()
    performer = Performer(endpoints, database, Services(), KEY)
    authenticator = TokenAuthenticator(database, KEY, SCOPES)
    pipeline = Pipeline(performer, Admission(authenticator, limiter, proxies, KEY))
    gateway = Gateway(
        pipeline, [], Origins(None, proxies), limiter.rule, None, proxies, Crowd(CrowdSettings(), proxies, 0),
        BodyMemory(MEBIBYTE),
    )  # fmt: skip

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        await serve_asgi(gateway.handle, _never, _never, scope, receive, send)

    transport = httpx2.ASGITransport(app=application)
    async with httpx2.AsyncClient(transport=transport, base_url="http://table.test/api/v1") as client:
        yield client
    limiter.close()


async def _never() -> None:
    raise AssertionError("the table has no life of its own")
