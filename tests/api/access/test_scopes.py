"""Scopes of a token: a table of endpoints of every kind, through the whole of the pipeline."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from stowboard.access.tokens import NewToken, create_token
from stowboard.api.endpoint import Call, Endpoint
from stowboard.core.scopes import ADMIN
from stowboard.db.database import Database, Tx
from support.api.answers import data_of, error_of, message_of
from support.api.table import KEY, serve_table
from support.clients.credentials import bearer

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


@pytest.fixture
async def web(database: Database, database_url: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with serve_table(database, database_url, ENDPOINTS) as client:
        yield client


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
