"""The application behind another server: the same answers through ASGI."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Iterator, MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from stowboard.app import ServerApplication
from stowboard.cli.on_database import open_current
from stowboard.cli.serving.prepare import first_start
from stowboard.settings import Settings, load_settings
from support.api.answers import check_quota, data_of, error_of
from support.clients.credentials import bearer

TOKENS = "/api/v1/access/tokens"
TOKEN = "test_" + "t" * 32


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_dir": tmp_path}, {"STOWBOARD_BOOTSTRAP_TOKEN": TOKEN})


@pytest.fixture
async def application(settings: Settings) -> AsyncIterator[ServerApplication]:
    db = await open_current(settings)
    await first_start(settings, db)
    application = ServerApplication(settings, db)
    await application.start()
    yield application
    await application.stop(1.0)


@pytest.fixture
async def admin(application: ServerApplication) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=application)
    async with httpx2.AsyncClient(transport=transport, base_url="http://asgi.test", headers=bearer(TOKEN)) as client:
        yield client


async def test_a_token_is_made_used_listed_and_revoked(admin: httpx2.AsyncClient) -> None:
    created = data_of(await admin.post(TOKENS, json={"owner": "alice"}), 201)
    index = await admin.get("/api/v1", headers=bearer(created["token"]))
    assert data_of(index)["documents"][0]["href"] == "http://asgi.test/openapi.json"
    check_quota(index)
    assert created["id"] in {token["id"] for token in data_of(await admin.get(TOKENS))}
    assert data_of(await admin.delete(f"{TOKENS}/{created['id']}"))["deleted"] is True
    assert error_of(await admin.get("/api/v1", headers=bearer(created["token"]))) == (401, "invalid_token")


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/nothing", "/healthz", "/openapi.json"])
async def test_head_has_the_headers_of_get_and_no_body(admin: httpx2.AsyncClient, path: str) -> None:
    plain = {"accept-encoding": "identity"}
    head, get = await admin.head(path, headers=plain), await admin.get(path, headers=plain)
    assert (head.status_code, head.content) == (get.status_code, b"")
    assert int(head.headers["content-length"]) == len(get.content)


@pytest.mark.parametrize(("method", "has_body"), [("GET", True), ("HEAD", False)])
async def test_the_server_is_given_no_body_to_send_for_head(
    application: ServerApplication, method: str, has_body: bool
) -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": "/healthz", "query_string": b"", "headers": [(b"host", b"a")]}
    await application(scope, receive, send)
    assert [message["type"] for message in sent if "status" in message] == ["http.response.start"]
    assert any(message.get("body") for message in sent) is has_body
    assert not sent[-1].get("more_body")


async def test_errors_are_those_of_the_shipped_server(admin: httpx2.AsyncClient) -> None:
    assert error_of(await admin.post(TOKENS, content=b"x" * 1_100_000)) == (413, "payload_too_large")
    assert error_of(await admin.post(TOKENS, content=b"{")) == (400, "invalid_json")
    assert error_of(await admin.post(TOKENS, data={"owner": "a"})) == (415, "unsupported_media_type")
    assert error_of(await admin.get(f"{TOKENS}?limit=%ff")) == (400, "invalid_parameter")
    assert error_of(await admin.put(TOKENS)) == (405, "method_not_allowed")
    twice = [("authorization", f"Bearer {TOKEN}")] * 2
    assert error_of(await admin.request("GET", "/api/v1", headers=twice)) == (401, "invalid_token")


async def test_a_body_that_comes_in_pieces_is_read_and_bounded(admin: httpx2.AsyncClient) -> None:
    async def pieces(count: int) -> AsyncIterator[bytes]:
        yield b'{"owner":"ali'
        for _ in range(count):
            yield b"c" * 10_000
        yield b'e"}'

    assert data_of(await admin.post(TOKENS, content=pieces(0)), 201)["owner"] == "alie"
    assert error_of(await admin.post(TOKENS, content=pieces(150))) == (413, "payload_too_large")


async def test_an_answer_without_a_body_announces_no_length(admin: httpx2.AsyncClient) -> None:
    answer = await admin.options("/api/v1")
    assert (answer.status_code, answer.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
    assert "content-length" not in answer.headers


async def test_a_server_starts_and_stops_it_by_the_lifespan_protocol(settings: Settings) -> None:
    db = await open_current(settings)
    await first_start(settings, db)
    application = ServerApplication(settings, db)
    messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
    sent: list[str] = []
    statuses: list[int] = []

    async def receive() -> dict[str, Any]:
        message = next(messages)
        if message["type"] == "lifespan.shutdown":
            transport = httpx2.ASGITransport(app=application)
            async with httpx2.AsyncClient(transport=transport, base_url="http://asgi.test") as client:
                statuses.append((await client.get("/readyz")).status_code)
        return message

    async def send(message: Any) -> None:
        sent.append(message["type"])

    await application({"type": "lifespan"}, receive, send)
    assert statuses == [200]
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


async def test_a_stream_is_sent_as_things_happen_and_ends_when_its_client_leaves(
    application: ServerApplication, admin: httpx2.AsyncClient
) -> None:
    sent: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
    received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    received.put_nowait({"type": "http.request", "body": b""})
    scope = {
        "type": "http", "method": "GET", "path": "/api/v1/events/stream", "query_string": b"",
        "headers": [(b"host", b"a"), (b"authorization", f"Bearer {TOKEN}".encode())],
    }  # fmt: skip
    answering = asyncio.create_task(application(scope, received.get, sent.put))
    assert (await sent.get())["status"] == 200
    assert (await sent.get())["body"].startswith(b"retry: ")
    await admin.post("/api/v1/taskapp/tasks", json={"title": "a"})
    assert b"event: task.created" in (await sent.get())["body"]
    received.put_nowait({"type": "http.disconnect"})
    await answering


class Request:
    """One piece of its body comes, and then nothing."""

    def __init__(self, method: str, path: str, headers: dict[str, str], piece: bytes) -> None:
        named = {"host": "asgi.test", "content-length": "50000", **bearer(TOKEN), **headers}
        encoded = [(name.encode(), value.encode()) for name, value in named.items()]
        self._scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": encoded}
        self._pieces = [piece]
        self.stalls = asyncio.Event()
        self.status = 0

    async def receive(self) -> dict[str, Any]:
        if not self._pieces:
            self.stalls.set()
            await asyncio.Event().wait()
        return {"type": "http.request", "body": self._pieces.pop(), "more_body": True}

    async def send(self, message: Any) -> None:
        self.status = message.get("status", self.status)

    async def run(self, application: ServerApplication) -> None:
        await application(self._scope, self.receive, self.send)


@pytest.fixture
def _nobody_looks_for_garbage() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_nobody_looks_for_garbage")
async def test_an_upload_that_was_told_to_stop_is_let_go_with_its_answer(
    application: ServerApplication, admin: httpx2.AsyncClient
) -> None:
    """A server closes the connection of a body that nobody read only when the request has gone."""
    made = data_of(await admin.post("/api/v1/media/videos/upload", json={"title": "A film"}), 201)
    path, version = urlsplit(made["tusUploadUrl"]).path, {"tus-resumable": "1.0.0"}
    headers = {**version, "upload-offset": "0", "content-type": "application/offset+octet-stream"}
    request = Request("PATCH", path, headers, b"x" * 1000)
    stalled = asyncio.create_task(request.run(application))
    await request.stalls.wait()
    assert (await admin.head(path, headers=version)).headers["upload-offset"] == "1000"
    await stalled
    assert request.status == 409
    gone = weakref.ref(request)
    del request, stalled
    assert gone() is None
