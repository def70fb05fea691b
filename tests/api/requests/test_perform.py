"""An operation is performed for a caller without HTTP, with the same checks, idempotency and transaction."""

from typing import Any

import msgspec
import pytest

from stowboard.api.endpoint import Answer, Call, Endpoint
from stowboard.api.idempotency import Reply
from stowboard.api.paging import PageQuery
from stowboard.api.perform import Performer, PlainRequest
from stowboard.core.caller import Caller, TokenId, TokenKind
from stowboard.core.errors import (
    Conflict,
    IdempotencyKeyInvalid,
    IdempotencyKeyReused,
    InsufficientScope,
    InvalidParameter,
    PayloadTooLarge,
    Problem,
    ValidationFailed,
)
from stowboard.core.reach import Reach
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx

ORIGIN = "https://stow.test"
ALICES, BOBS = Reach.of_owner("alice"), Reach.of_owner("bob")
NOTES = frozenset({"notes:read", "notes:write"})
ALICE = Caller(TokenId("tok_1"), "alice", NOTES, None, TokenKind.AUTOMATION, ALICES)
READER = Caller(TokenId("tok_2"), "alice", frozenset({"notes:read"}), None, TokenKind.AUTOMATION, ALICES)
BOB = Caller(TokenId("tok_3"), "bob", frozenset({"notes:write"}), None, TokenKind.AUTOMATION, BOBS)


class Note(msgspec.Struct, frozen=True):
    text: str


async def list_notes(tx: Tx, call: Call[None, PageQuery]) -> list[str]:
    """List the texts of all notes."""
    rows = await tx.all("SELECT text FROM note ORDER BY text LIMIT $1", call.query.size)
    return [row[0] for row in rows]


async def write_note(tx: Tx, call: Call[Note, None], shelf: str, length: int) -> Answer:
    """Write a note."""
    await tx.run("INSERT INTO note (text) VALUES ($1)", call.body.text)
    if call.body.text == "contradiction":
        raise Conflict
    return Answer({"at": f"{call.origin}/{shelf}", "length": length, "ifMatch": call.if_match})


async def measure(call: Call[Note, None], shelf: str) -> int:
    return len(call.body.text)


ENDPOINTS = [
    Endpoint("GET", "/notes", list_notes, list[str], scope="notes:read", query=PageQuery),
    Endpoint(
        "POST", "/notes/{shelf}", write_note, dict[str, str], scope="notes:write", body=Note, status=201,
        prepare=measure, max_body=100,
    ),
]  # fmt: skip


class Door:
    """As short a way to the operations as there can be."""

    def __init__(self, database: Database) -> None:
        self._performer = Performer(ENDPOINTS, database, Services(), DigestKey(b"k" * 32))
        self._list, self._write = self._performer.operations

    async def texts(self, caller: Caller = ALICE, query: str = "") -> list[str]:
        reply = await self._performer.perform(caller, self._list, [], PlainRequest(origin=ORIGIN, query=query))
        texts: list[str] = msgspec.json.decode(reply.body)["data"]
        return texts

    async def write(self, body: bytes, caller: Caller = ALICE, shelf: str = "top", **more: Any) -> Reply:
        request = PlainRequest(origin=ORIGIN, body=body, **more)
        return await self._performer.perform(caller, self._write, [shelf], request)


@pytest.fixture
async def door(database: Database) -> Door:
    await database.transact(lambda tx: tx.run("CREATE TABLE note (text TEXT NOT NULL)"))
    return Door(database)


async def test_the_handler_sees_parameters_body_what_was_prepared_origin_and_if_match(door: Door) -> None:
    reply = await door.write(b'{"text": "milk"}', if_match='"7"')
    assert (reply.status, msgspec.json.decode(reply.body)) == (
        201, {"data": {"at": f"{ORIGIN}/top", "length": 4, "ifMatch": '"7"'}, "meta": {}},
    )  # fmt: skip
    assert await door.texts() == ["milk"]


@pytest.mark.parametrize(
    ("problem", "body", "more"),
    [
        (InsufficientScope, b'{"text": "milk"}', {"caller": READER}),
        (ValidationFailed, b'{"text": 7}', {}),
        (PayloadTooLarge, b'{"text": "%b"}' % (b"m" * 100), {}),
        (IdempotencyKeyInvalid, b'{"text": "milk"}', {"idempotency_key": "k" * 256}),
        (Conflict, b'{"text": "contradiction"}', {}),
    ],
)
async def test_what_is_wrong_is_refused_and_leaves_nothing(
    door: Door, problem: type[Problem], body: bytes, more: dict[str, Any]
) -> None:
    with pytest.raises(problem):
        await door.write(body, **more)
    assert await door.texts() == []


async def test_a_query_is_checked(door: Door) -> None:
    with pytest.raises(InvalidParameter):
        await door.texts(query="limit=0")
    await door.write(b'{"text": "milk"}')
    await door.write(b'{"text": "bread"}')
    assert await door.texts(query="limit=1") == ["bread"]


async def test_under_one_key_it_is_done_once_for_each_caller(door: Door) -> None:
    first = await door.write(b'{"text": "milk"}', idempotency_key="k1")
    again = await door.write(b'{"text": "milk"}', idempotency_key='"k1"')
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers == (*first.headers, ("idempotent-replayed", "true"))
    await door.write(b'{"text": "milk"}', BOB, idempotency_key="k1")
    assert await door.texts() == ["milk", "milk"]
    with pytest.raises(IdempotencyKeyReused):
        await door.write(b'{"text": "milk"}', shelf="bottom", idempotency_key="k1")


async def test_a_refusal_about_the_domain_is_kept_under_its_key_and_its_effect_is_not(door: Door) -> None:
    first = await door.write(b'{"text": "contradiction"}', idempotency_key="k2")
    again = await door.write(b'{"text": "contradiction"}', idempotency_key="k2")
    assert (first.status, again.status, first.body) == (409, 409, again.body)
    assert await door.texts() == []
