"""Documents that describe applications, fetched through the guard from a real server with a real certificate."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from stowboard.access.oauth.applications import application_store, client_documents
from stowboard.access.oauth.applications.application import is_document_address
from stowboard.access.oauth.applications.client_documents import FRESH_MS, LONGEST_FRESH_MS, PER_MINUTE, ClientDocuments
from stowboard.access.oauth.errors import UntrustedRequest
from stowboard.core import clock
from stowboard.db.database import Database
from stowboard.http.outgoing.addresses import OutgoingSettings
from stowboard.http.outgoing.client import Outgoing
from support.outgoing.tls_server import Listener, certificate_of, listening, trust
from support.waiting import PATIENCE_SECONDS

HOST = "app.example.com"


class Site:
    """Answers every request with one text."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.status, self.headers, self.body = 200, "Content-Type: application/json\r\n", b""

    @property
    def client_id(self) -> str:
        return f"https://{HOST}:{self.listener.port}/client.json"

    def says(self, **changes: Any) -> None:
        document = {
            "client_id": self.client_id, "client_name": "Agent", "token_endpoint_auth_method": "none",
            "redirect_uris": ["http://127.0.0.1/cb", f"https://{HOST}:{self.listener.port}/cb"],
        }  # fmt: skip
        self.body = json.dumps(document | changes).encode()

    async def answer(self, _: bytes, writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 {self.status} Fine\r\n{self.headers}Content-Length: {len(self.body)}\r\n\r\n"
        writer.write(head.encode() + self.body)
        await writer.drain()


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    answers: list[Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]] = []

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        await answers[0](request, writer)

    async with listening(answer, certificate_of(HOST)) as listener:
        site = Site(listener)
        answers.append(site.answer)
        site.says()
        yield site


@pytest.fixture
async def outgoing() -> AsyncIterator[Outgoing]:
    client = Outgoing(OutgoingSettings(("127.0.0.0/8",)), lambda _host, _port: ["127.0.0.1"], trust)
    yield client
    client.close()


@pytest.fixture
def documents(database: Database, outgoing: Outgoing, monkeypatch: pytest.MonkeyPatch) -> ClientDocuments:
    monkeypatch.setattr(client_documents, "SECONDS", PATIENCE_SECONDS)
    return ClientDocuments(database, outgoing, ())


async def fault(documents: ClientDocuments, client_id: str, account: str = "acc_1") -> str:
    with pytest.raises(UntrustedRequest) as told:
        await documents.get(client_id, account)
    return str(told.value)


async def test_a_document_is_fetched_once_and_kept_for_all_nodes(
    documents: ClientDocuments, database: Database, outgoing: Outgoing, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = await documents.get(site.client_id, "acc_1")
    assert (application.name, application.registered_from, application.device) == ("Agent", HOST, False)
    assert application.takes("http://127.0.0.1:4711/cb")
    assert not application.takes("https://evil.example.com/cb")
    await documents.get(site.client_id, "acc_2")
    await ClientDocuments(database, outgoing, ()).get(site.client_id, "acc_3")
    assert site.listener.connections == 1
    later = clock.now_ms() + FRESH_MS + 1
    monkeypatch.setattr(clock, "now_ms", lambda: later)
    site.says(client_name="Renamed")
    assert (await documents.get(site.client_id, "acc_1")).name == "Renamed"


@pytest.mark.parametrize(
    ("said", "kept"), [("max-age=60", FRESH_MS), ("max-age=3600", 3_600_000), ("max-age=999999", LONGEST_FRESH_MS)]
)
async def test_it_is_kept_as_long_as_it_says_within_bounds(
    documents: ClientDocuments, site: Site, said: str, kept: int
) -> None:
    site.headers += f"Cache-Control: public, {said}\r\n"
    application = await documents.get(site.client_id, "acc_1")
    assert application.fresh_until == application.created_at + kept


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": "https://app.example.com/other.json"},
        {"redirect_uris": []},
        {"redirect_uris": ["https://elsewhere.example.com/cb"]},
        {"redirect_uris": ["https://app.example.com/cb"]},  # another port is another origin
        {"redirect_uris": ["javascript:alert(1)"]},
        {"redirect_uris": "https://app.example.com/cb"},
        {"client_secret": "x"},
        {"token_endpoint_auth_method": "client_secret_basic"},
    ],
)
async def test_a_document_that_is_wrong_is_not_used_and_not_asked_for_again_at_once(
    documents: ClientDocuments, database: Database, site: Site, changes: dict[str, Any]
) -> None:
    site.says(**changes)
    for _ in range(2):
        assert "cannot be used" in await fault(documents, site.client_id)
    assert site.listener.connections == 1
    assert await database.read(application_store.find, site.client_id) is None


async def test_what_is_no_document_is_not_used(documents: ClientDocuments, site: Site) -> None:
    good = site.body
    for status, headers, body in (
        (404, site.headers, good),
        (302, site.headers + "Location: https://elsewhere.example.com/\r\n", good),
        (200, "Content-Type: text/html\r\n", good),
        (200, site.headers, b"[1, 2]"),
        (200, site.headers, b"\xff"),
        (200, site.headers, b"x" * (client_documents.LARGEST + 1)),
    ):
        site.status, site.headers, site.body = status, headers, body
        client_id = f"{site.client_id}?{site.listener.connections}"
        assert "cannot be used" in await fault(documents, client_id)
        site.headers = "Content-Type: application/json\r\n"


async def test_only_hosts_that_the_operator_takes_are_asked(database: Database, outgoing: Outgoing, site: Site) -> None:
    for hosts in (("off",), ("other.example.com",)):
        assert "does not take applications" in await fault(ClientDocuments(database, outgoing, hosts), site.client_id)
    assert site.listener.connections == 0
    assert not ClientDocuments(database, outgoing, ("off",)).are_taken
    await ClientDocuments(database, outgoing, (HOST,)).get(site.client_id, "acc_1")


async def test_a_private_address_is_not_asked(database: Database, site: Site) -> None:
    guarded = Outgoing(OutgoingSettings(()), lambda _host, _port: ["127.0.0.1"], trust)
    assert "address that is not public" in await fault(ClientDocuments(database, guarded, ()), site.client_id)
    assert site.listener.connections == 0
    guarded.close()


async def test_one_person_has_so_many_looked_up_in_a_minute(documents: ClientDocuments, site: Site) -> None:
    for number in range(PER_MINUTE):
        await fault(documents, f"{site.client_id}?{number}")
    assert "Too many" in await fault(documents, site.client_id)
    await documents.get(site.client_id, "acc_2")


async def test_what_an_admin_removed_stays_removed(documents: ClientDocuments, database: Database, site: Site) -> None:
    await documents.get(site.client_id, "acc_1")
    await database.transact(application_store.remove, site.client_id)
    assert "removed" in await fault(documents, site.client_id)


@pytest.mark.parametrize(
    "client_id",
    ["http://a.example/c", "https://a.example", "https://a.example/", "https://a.example/c#x", "https://u@a.example/c",
     "https://a.example/../c", "https://a.example/./c", "https://a.example/c d", "https://a.example/\u00e9",
     "https:///c", "https://a.example:x/c", "https://a.example/" + "c" * 1000],
)  # fmt: skip
def test_an_address_that_can_be_read_in_two_ways_is_no_id(client_id: str) -> None:
    assert not is_document_address(client_id)
    assert is_document_address("https://a.example/c")
