"""`/taskapp/calendar` makes a secret address; `/calendar/{token}.ics` is what calendars read there.

Whoever knows the address sees the dates, so it is shown once and kept as a digest. It ends when another one is made.
"""

import asyncio
import hashlib
import secrets
from typing import Annotated
from urllib.parse import parse_qs

import msgspec
from msgspec import Meta

from stowboard.api.endpoint import AnyEndpoint, Call, Deleted, Endpoint
from stowboard.core import clock
from stowboard.core.errors import InvalidParameter, NotFound
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.http.conditions import names_it
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.tasks.base.task import Task
from stowboard.tasks.calendar import calendar_store
from stowboard.tasks.calendar.calendar_store import Calendar
from stowboard.tasks.calendar.entries import entries_of
from stowboard.tasks.calendar.ical import as_events, as_todos

#: Tasks that were due longer ago are left out, done or not.
BACK_MS = 90 * 24 * 3600 * 1000
LENGTH_MS = 30 * 60 * 1000
_HEADERS = [
    ("content-type", "text/calendar; charset=utf-8"),
    ("content-disposition", 'inline; filename="stowboard.ics"'),
    ("x-robots-tag", "noindex"),
]
_CACHED = ("cache-control", "private, max-age=900")


class CalendarBody(msgspec.Struct, frozen=True):
    """How the calendar shall look."""

    titles: Annotated[bool, Meta(description="false shows when, and not what.")] | None = True


class CalendarView(msgspec.Struct, frozen=True):
    """The address, which is shown this once."""

    url: str
    titles: bool


async def create_calendar(tx: Tx, call: Call[CalendarBody, None]) -> CalendarView:
    """Make a secret address at which calendar programs can read the dated tasks.

    Another address that was made before ends. Whoever knows the address needs no token; add `?type=todo` to it for
    programs that have to-dos.
    """
    token = secrets.token_urlsafe(24)
    owner, titles = call.caller.owner, call.body.titles is not False
    await calendar_store.put(tx, owner, call.use(DigestKey).digest(_named(token)), titles, clock.now_ms())
    return CalendarView(f"{call.origin}/calendar/{token}.ics", titles)


async def delete_calendar(tx: Tx, call: Call[None, None]) -> Deleted:
    """End the address of the calendar."""
    if not await calendar_store.remove(tx, call.caller.owner):
        raise NotFound
    return Deleted("calendar")


def routes(services: Services, origins: Origins) -> list[Route]:
    return [Route("GET", "/calendar/{token}.ics", CalendarFeed(services, origins).read)]


class CalendarFeed:
    def __init__(self, services: Services, origins: Origins) -> None:
        self._db, self._key, self._origins = services.use(Database), services.use(DigestKey), origins

    async def read(self, exchange: Exchange, file: str) -> None:
        """Raises NotFound for an address that is not in use."""
        as_todo = _wants_todos(exchange)
        now = clock.now_ms()
        calendar, tasks = await self._db.read(self._look, file, now)
        origin = self._origins.of(exchange)
        body = await asyncio.to_thread(_written, calendar, tasks, now, origin, as_todo)
        etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = [*_HEADERS, _CACHED, ("etag", etag)]
        if names_it(exchange.header("if-none-match"), etag):
            exchange.respond(304, headers)
        else:
            exchange.respond(200, headers, body)

    async def _look(self, tx: Tx, file: str, now: int) -> tuple[Calendar, list[Task]]:
        token, dot, ending = file.partition(".")
        if (dot, ending) != (".", "ics") or len(token) > 100 or not token.isascii():
            raise NotFound
        calendar = await calendar_store.find(tx, *self._key.digests(_named(token)))
        if calendar is None:
            raise NotFound
        return calendar, await calendar_store.dated_tasks(tx, calendar.owner, now - BACK_MS)


def _wants_todos(exchange: Exchange) -> bool:
    kinds = parse_qs(exchange.query, keep_blank_values=True).get("type", ["event"])
    if kinds not in (["event"], ["todo"]):
        raise InvalidParameter("type: expected event or todo.")
    return kinds == ["todo"]


def _written(calendar: Calendar, tasks: list[Task], now: int, origin: str, as_todo: bool) -> bytes:
    entries = entries_of(tasks, now, origin, calendar.titles, coming=not as_todo)
    return as_todos(entries) if as_todo else as_events(entries, LENGTH_MS)


def _named(token: str) -> str:
    """A secret of this kind alone."""
    return f"calendar {token}"


ENDPOINTS: list[AnyEndpoint] = [
    Endpoint(
        "POST", "/taskapp/calendar", create_calendar, CalendarView, scope="tasks:write", body=CalendarBody, status=201,
        secret=True, example_body={"titles": True},
        example={"url": "https://stow.example.com/calendar/….ics", "titles": True},
    ),
    Endpoint(
        "DELETE", "/taskapp/calendar", delete_calendar, Deleted, scope="tasks:write", errors=[NotFound],
        example={"id": "calendar", "deleted": True},
    ),
]  # fmt: skip
