"""Scopes of a token: a table of endpoints of every kind, through the whole of the pipeline."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.scopes import SCOPES
from stowboard.access.tokens import NewToken, create_token
from stowboard.api.admission import Admission
from stowboard.api.endpoint import MEBIBYTE, Call, Endpoint
from stowboard.api.gateway import Gateway
from stowboard.api.limits.rule import RateLimitRule, RateLimitSettings
from stowboard.api.limits.shared_memory import SharedLimiter
from stowboard.api.perform import Performer
from stowboard.api.pipeline import Pipeline
from stowboard.core.scopes import ADMIN
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.http.asgi import Message, Receive, Send, serve_asgi
from stowboard.http.body_memory import BodyMemory
from stowboard.http.crowd import Crowd, CrowdSettings
from stowboard.http.origin import Origins
from stowboard.http.proxies import Proxies
from support.api.answers import data_of, error_of, message_of
from support.clients.credentials import bearer

KEY = DigestKey(b"k" * 32)
NEEDED = {
    "/open": None, "/see-tasks": "tasks:read", "/change-tasks": "tasks:write", "/see-media": "media:read",
    "/change-media": "media:write", "/delete-tasks": "tasks:delete", "/delete-media": "media:delete", "/manage": ADMIN,
}  # fmt: skip
CAN: list[tuple[list[str], set[str]]] = [
    ([], {"/open"}),
    (["tasks:read"], {"/open", "/see-tasks"}),
    (["tasks:write"], {"/open", "/see-tasks", "/change-tasks"}),
    (["media:write", "tasks:read"], {"/open", "/see-tasks", "/see-media", "/change-media"}),
    (["tasks:delete"], {"/open", "/delete-tasks"}),
    (["media:delete", "media:write"], {"/open", "/see-media", "/change-media", "/delete-media"}),
    ([ADMIN], set(NEEDED)),
]


async def owner_of_the_token(_: Tx, call: Call[None, None]) -> str:
    """Say who asks."""
    return call.caller.owner


ENDPOINTS = [Endpoint("GET", path, owner_of_the_token, str, scope=scope) for path, scope in NEEDED.items()]


async def never() -> None:
    raise AssertionError("the table has no life of its own")


@pytest.fixture
async def web(database: Database, database_url: str) -> AsyncIterator[httpx2.AsyncClient]:
    limiter = SharedLimiter(RateLimitRule(RateLimitSettings()), database_url)
    proxies = Proxies()
    origins = Origins(None, proxies)
    performer = Performer(ENDPOINTS, database, Services(), KEY)
    authenticator = TokenAuthenticator(database, KEY, SCOPES)
    pipeline = Pipeline(performer, database, Admission(authenticator, limiter, proxies, KEY))
    gateway = Gateway(
        pipeline, [], origins, limiter.rule, None, proxies, Crowd(CrowdSettings(), proxies, 0), BodyMemory(MEBIBYTE)
    )

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        await serve_asgi(gateway.handle, never, never, scope, receive, send)

    transport = httpx2.ASGITransport(app=application)
    async with httpx2.AsyncClient(transport=transport, base_url="http://table.test/api/v1") as client:
        yield client
    limiter.close()


@pytest.mark.parametrize(("scopes", "paths"), CAN, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
async def test_writing_implies_reading_and_admin_implies_everything(
    database: Database, web: httpx2.AsyncClient, scopes: list[str], paths: set[str]
) -> None:
    await database.transact(create_token, KEY, NewToken("alice", scopes), "secret-of-alice")
    answers = {path: await web.get(path, headers=bearer("secret-of-alice")) for path in NEEDED}
    assert {path for path, answer in answers.items() if answer.status_code == 200} == paths
    for path in paths:
        assert data_of(answers[path]) == "alice"


async def test_a_missing_scope_is_named_and_a_missing_admin_is_told_apart(
    database: Database, web: httpx2.AsyncClient
) -> None:
    await database.transact(create_token, KEY, NewToken("alice", ["media:write"]), "secret-of-alice")
    lacking = await web.get("/change-tasks", headers=bearer("secret-of-alice"))
    assert error_of(lacking) == (403, "insufficient_scope")
    assert "tasks:write" in message_of(lacking)
    assert 'error="insufficient_scope"' in lacking.headers["www-authenticate"]
    no_admin = await web.get("/manage", headers=bearer("secret-of-alice"))
    assert error_of(no_admin) == (403, "admin_required")
    assert "www-authenticate" not in no_admin.headers
