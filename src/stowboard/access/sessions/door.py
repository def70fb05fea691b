"""Routes that only pages of this service may call: JSON, with a cookie, and from their own origin.

A browser says itself where a request comes from (`Sec-Fetch-Site`); one that does not sends `Origin` with every POST
and DELETE. That keeps other sites from using the cookie, and from signing somebody in as somebody else. No answer here
allows another origin to read it.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import msgspec

from stowboard.access.base import session_store
from stowboard.access.base.errors import CrossSite, NotSignedIn
from stowboard.access.base.session import Device, PersonSession
from stowboard.access.sessions import attempts
from stowboard.access.sessions.cookies import Cookies, Header
from stowboard.access.settings import AccessSettings
from stowboard.api.endpoint import NO_META
from stowboard.api.envelope import failure, success
from stowboard.core.decoding import decode_json
from stowboard.core.errors import Problem, UnsupportedMediaType
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor
from stowboard.http.body import read_body
from stowboard.http.exchange import Exchange, Handler, Headers, Route, content_length
from stowboard.http.origin import Origins, is_plain
from stowboard.http.proxies import Proxies

LARGEST_BODY = 16 * 1024
_LONGEST_USER_AGENT = 300
_JSON: Headers = [("content-type", "application/json"), ("cache-control", "no-store")]
UNTRUSTED_PROXY, OTHER_ADDRESS = "proxy.untrusted", "address.other"
PAUSE_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class SessionAnswer:
    """The answer to a page. With `bare` the data is all of the body."""

    data: Any
    status: int = 200
    headers: list[Header] = field(default_factory=list)
    bare: bool = False


#: Given the exchange, the body if there is one, and the path's parameters.
Act: TypeAlias = Callable[..., Awaitable[SessionAnswer]]


class SessionDoor:
    def __init__(self, services: Services, origins: Origins) -> None:
        self.cookies = services.use(Cookies)
        self._db, self._key, self._origins = services.use(Database), services.use(DigestKey), origins
        self._settings = services.use(AccessSettings)
        self._surroundings = Surroundings(self._db, services.use(Proxies), origins)

    def route(self, method: str, path: str, act: Act, body: type[msgspec.Struct] | None = None) -> Route:
        """A route for pages of ours: `act` returns what to answer, or raises Problem."""
        decoder = msgspec.json.Decoder(body) if body is not None else None
        return Route(method, path, self._handler(act, decoder), cross_origin=False)

    async def find_signed_in(self, exchange: Exchange) -> PersonSession | None:
        secret = self.cookies.session_secret(exchange)
        return await self._db.read(session_store.find, self._key, secret) if secret else None

    async def get_signed_in(self, exchange: Exchange) -> PersonSession:
        """Raises NotSignedIn."""
        signed_in = await self.find_signed_in(exchange)
        if signed_in is None:
            raise NotSignedIn
        return signed_in

    async def count(self, exchange: Exchange, kind: Literal["address", "challenge"] = "address") -> None:
        """Count an attempt from this address. Raises RateLimited."""
        address = attempts.address_key(self._key, exchange.client, kind)
        await self._db.transact(attempts.count_address, self._settings, address)

    async def count_guess(self, exchange: Exchange, name: bytes) -> None:
        """Count a guess from this address at the name with this key (see `attempts.name_key`). Raises RateLimited."""
        address = attempts.address_key(self._key, exchange.client)
        await self._db.transact(attempts.count_attempt, self._settings, address, name)

    def _handler(self, act: Act, decoder: msgspec.json.Decoder[Any] | None) -> Handler:
        async def handle(exchange: Exchange, *parameters: str) -> None:
            try:
                if exchange.method not in ("GET", "HEAD"):
                    await self._surroundings.look(exchange)
                    self._check_same_origin(exchange)
                outcome = await act(exchange, *(await _body(exchange, decoder)), *parameters)
            except Problem as problem:
                exchange.respond(problem.status, [*_JSON, *problem.headers], failure(problem))
            else:
                body = msgspec.json.encode(outcome.data) if outcome.bare else success(outcome.data, NO_META)
                exchange.respond(outcome.status, [*_JSON, *outcome.headers], body)

        return handle

    def _check_same_origin(self, exchange: Exchange) -> None:
        site = exchange.header("sec-fetch-site")
        if site is None and exchange.header("origin") == self._origins.of(exchange):
            return
        if site != "same-origin":
            raise CrossSite


def device_of(exchange: Exchange) -> Device:
    agent = exchange.header("user-agent") or ""
    return Device(exchange.client, agent[:_LONGEST_USER_AGENT])


async def _body(exchange: Exchange, decoder: msgspec.json.Decoder[Any] | None) -> list[Any]:
    if decoder is None:
        return []
    content_type = exchange.header("content-type") or ""
    if content_length(exchange) != 0 and content_type.partition(";")[0].strip().lower() != "application/json":
        # A form of another site can send any other type without asking first.
        raise UnsupportedMediaType
    return [decode_json(decoder, await read_body(exchange, LARGEST_BODY))]


class Surroundings:
    """Faults in front of this service that requests of its pages reveal, for `stowboard doctor` to report.

    Behind an untrusted proxy all clients have its address, and share the limits of one address. A page that was opened
    at another address than the public one loses its cookies. Either is written to the audit log, at most once an hour
    by each process: anybody can send such headers.
    """

    def __init__(self, db: Database, proxies: Proxies, origins: Origins) -> None:
        self._db, self._proxies, self._origins = db, proxies, origins
        self._noted: dict[str, float] = {}

    async def look(self, exchange: Exchange) -> None:
        """Record what is wrong about a request that a page made."""
        proxy, page = self._proxies.unheeded(exchange), exchange.header("origin") or ""
        if proxy is not None:
            await self._note(UNTRUSTED_PROXY, proxy, exchange)
        if is_plain(page) and page != self._origins.of(exchange) and _is_own_page(exchange):
            await self._note(OTHER_ADDRESS, page, exchange)

    async def _note(self, action: str, subject: str, exchange: Exchange) -> None:
        now = time.monotonic()
        if now - self._noted.get(action, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return
        self._noted[action] = now
        await self._db.transact(audit.record, Actor(NOBODY, address=exchange.client), action, subject, "refused")


def _is_own_page(exchange: Exchange) -> bool:
    """True unless the browser names another site, whose pages have another address by rights."""
    return exchange.header("sec-fetch-site") in (None, "same-origin")
