"""The application without a server: asked as Granian asks it, on the event loop of whoever asks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from cProfile import Profile
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any, NamedTuple

import msgspec

import stowboard
from stowboard.app import ServerApplication
from stowboard.cli.on_database import open_current
from stowboard.cli.serving.prepare import first_start
from stowboard.http.granian.rsgi import RsgiExchange
from stowboard.settings import load_settings

TOKEN = "test_" + "t" * 32
_SOURCE = f"{Path(stowboard.__file__).parent}/"


class _Headers(dict[str, str]):
    def get_all(self, name: str) -> list[str]:
        return [self[name]] if name in self else []


class _Protocol:
    def __init__(self, body: bytes) -> None:
        self._body = body
        self.status, self.answer = 0, b""

    async def __call__(self) -> bytes:
        return self._body

    def response_bytes(self, status: int, _headers: list[tuple[str, str]], body: bytes) -> None:
        self.status, self.answer = status, body


class InProcessService:
    def __init__(self, application: ServerApplication) -> None:
        self._application = application
        self._token = TOKEN

    async def begin_as(self, owner: str) -> None:
        """From now on, ask with a token of this owner, who has a list of tasks."""
        created = msgspec.json.decode(await self.ask("POST", "/access/tokens", {"owner": owner}))
        self._token = created["data"]["token"]
        await self.ask("POST", "/taskapp/task-index/backfill")

    async def create(self, task: dict[str, Any]) -> str:
        """The new task's id."""
        return str(msgspec.json.decode(await self.ask("POST", "/taskapp/tasks", task))["data"]["id"])

    async def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> bytes:
        """The body of an answer that is a success. `key` is an Idempotency-Key."""
        raw = b"" if body is None else msgspec.json.encode(body)
        headers = _Headers({"host": "localhost", "authorization": f"Bearer {self._token}"})
        if raw:
            headers.update({"content-type": "application/json", "content-length": str(len(raw))})
        if key is not None:
            headers["idempotency-key"] = key
        path, _, query = path.partition("?")
        scope = SimpleNamespace(
            method=method, path=f"/api/v1{path}", query_string=query, headers=headers,
            scheme="http", http_version="1.1", client="127.0.0.1:50000",
        )  # fmt: skip
        protocol = _Protocol(raw)
        await self._application.handle(RsgiExchange(scope, protocol))
        assert protocol.status in (200, 201), protocol.answer
        return protocol.answer


@asynccontextmanager
async def in_process(folder: Path, environment: dict[str, str]) -> AsyncIterator[InProcessService]:
    """An installation in this folder with these settings, without background jobs."""
    given = {"STOWBOARD_BOOTSTRAP_TOKEN": TOKEN, "STOWBOARD_JOBS_IN_SERVER": "false"}
    settings = load_settings({"data_dir": folder}, given | environment)
    db = await open_current(settings)
    await first_start(settings, db)
    application = ServerApplication(settings, db)
    await application.start()
    try:
        yield InProcessService(application)
    finally:
        await application.stop(1.0)


class OwnCalls(NamedTuple):
    """Calls of one function of the service, and their seconds; those of libraries that it calls are among them."""

    module: str
    function: str
    calls: int
    seconds: float


def own_calls(profile: Profile) -> list[OwnCalls]:
    """The calls of the service's own functions in a profile."""
    return [
        OwnCalls(
            module,
            getattr(entry.code, "co_name", ""),
            entry.callcount,
            entry.inlinetime + sum(each.inlinetime for each in entry.calls or () if _own_module(each.code) is None),
        )
        for entry in profile.getstats()
        if (module := _own_module(entry.code)) is not None
    ]


def _own_module(code: CodeType | str) -> str | None:
    """Such as `tasks.create`; None for a function of a library. Those in C have a text for their code."""
    if isinstance(code, str) or not code.co_filename.startswith(_SOURCE):
        return None
    return code.co_filename.removeprefix(_SOURCE).removesuffix(".py").replace("/", ".")
