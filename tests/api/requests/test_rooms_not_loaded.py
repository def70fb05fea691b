"""A room that cannot be loaded at its first use fails that request alone; the next one tries again."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from stowboard.access.tokens import NewToken, create_token
from stowboard.api.endpoint import Call, Endpoint
from stowboard.core.errors import ServiceUnavailable
from stowboard.db.database import Database, Tx
from stowboard.http.exchange import Exchange, Route
from support.api.answers import data_of, error_of
from support.api.table import KEY, serve_table
from support.clients.credentials import bearer

T = TypeVar("T")


async def say_hello(_: Tx, call: Call[None, None]) -> str:
    """Say hello."""
    return call.caller.owner


async def show_page(exchange: Exchange) -> None:
    exchange.respond(200, [], b"a page")


def broken_twice(loaded: Sequence[T]) -> Callable[[], Sequence[T]]:
    tries = iter([ServiceUnavailable(), ImportError("no such module")])

    def load() -> Sequence[T]:
        if problem := next(tries, None):
            raise problem
        return loaded

    return load


async def test_a_room_that_could_not_be_loaded_is_503_or_500_and_is_there_for_the_next_request(
    database: Database, database_url: str
) -> None:
    await database.transact(create_token, KEY, NewToken("alice", []), "secret-of-alice")
    endpoints = broken_twice([Endpoint("GET", "/hello", say_hello, str)])
    routes = broken_twice([Route("GET", "/page", show_page, cross_origin=False)])
    async with serve_table(database, database_url, [], endpoints, routes) as web:
        alice = bearer("secret-of-alice")
        assert error_of(await web.get("/hello", headers=alice)) == (503, "service_unavailable")
        assert error_of(await web.get("/hello", headers=alice)) == (500, "internal_error")
        assert data_of(await web.get("/hello", headers=alice)) == "alice"
        assert error_of(await web.get("/nowhere", headers=alice)) == (404, "route_not_found")
        assert error_of(await web.get("http://table.test/page")) == (503, "service_unavailable")
        assert error_of(await web.get("http://table.test/page")) == (500, "internal_error")
        assert (await web.get("http://table.test/page")).content == b"a page"
        assert error_of(await web.get("http://table.test/nowhere")) == (404, "route_not_found")
