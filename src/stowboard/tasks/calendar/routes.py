"""`/taskapp/calendar` makes a secret address; calendar programs read `/calendar/{token}.ics`.

Whoever knows the address sees the dates, so it is shown once and kept as a digest. It ends when another one is made.
An address needs no token, so it has a bucket of the rate limit. A calendar is rendered once a day, and again when its
tasks have changed: each request reads the ids and versions of its tasks to find that out.
"""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from typing import Annotated, NamedTuple
from urllib.parse import parse_qs

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.admission import Admission
from stowboard.api.endpoint import AnyEndpoint, Call, Deleted, Endpoint
from stowboard.api.time_zones import Memberships
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import InvalidParameter, NotFound
from stowboard.core.reach import ALL, MOST_SPACES, Role, SpaceOrAll, is_shared, space_id_of
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Row, Tx
from stowboard.http.conditions import names_it
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.tasks.base.task_store import TASKS
from stowboard.tasks.calendar import calendar_store
from stowboard.tasks.calendar.calendar_store import Calendar, find_rows, find_versions
from stowboard.tasks.calendar.entries import entries_of
from stowboard.tasks.calendar.ical import as_events, as_todos

MOST_BYTES = 32 * 1024 * 1024
#: Tasks that were due longer ago are left out, done or not.
DAY_MS = 24 * 3600 * 1000
BACK_MS = 90 * DAY_MS
LENGTH_MS = 30 * 60 * 1000
_HEADERS = [
    ("content-type", "text/calendar; charset=utf-8"),
    ("content-disposition", 'inline; filename="stowboard.ics"'),
    ("x-robots-tag", "noindex"),
]
_CACHED = ("cache-control", "private, max-age=900")


class CalendarLook(NamedTuple):
    """The owners whose tasks a calendar shows, and how it shows them."""

    owners: tuple[str, ...]
    assignee: str | None
    titles: bool
    origin: str
    as_todo: bool


class RenderedCalendars:
    """Calendars as they were last rendered. All processes show the same: versions come from the database each time.

    Memory is bounded: the calendar that was rendered longest ago goes first.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._calendars: OrderedDict[CalendarLook, tuple[bytes, bytes]] = OrderedDict()
        self._most_bytes, self._bytes = most_bytes, 0

    def find(self, look: CalendarLook, state: bytes) -> bytes | None:
        """`state` is a digest of the day and of all versions."""
        known, body = self._calendars.get(look, (b"", b""))
        return body if known == state else None

    def keep(self, look: CalendarLook, state: bytes, body: bytes) -> None:
        self._bytes += len(body) - len(self._calendars.pop(look, (b"", b""))[1])
        self._calendars[look] = (state, body)
        while self._bytes > self._most_bytes:
            _, (_, oldest) = self._calendars.popitem(last=False)
            self._bytes -= len(oldest)


class CalendarQuery(msgspec.Struct, frozen=True, rename="camel"):
    space_id: SpaceOrAll | UnsetType = UNSET


class CalendarBody(msgspec.Struct, frozen=True, rename="camel"):
    """Contents of the calendar."""

    titles: Annotated[bool, Meta(description="false shows when, and not what.")] | None = True
    space_id: SpaceOrAll | None = None
    assigned_to_me: Annotated[bool, Meta(description="Only tasks that are assigned to you.")] | None = False


class CalendarView(msgspec.Struct, frozen=True, rename="camel"):
    """The address, which is shown this once."""

    url: str
    titles: bool
    space_id: str
    assigned_to_me: bool


async def create_calendar(tx: Tx, call: Call[CalendarBody, None]) -> CalendarView:
    """Make a secret address at which calendar programs can read the dated tasks.

    There is one address for each space, and one for `all` of them: a new one ends the one before. Whoever knows the
    address needs no token; add `?type=todo` to it for programs that have to-dos.
    """
    token = secrets.token_urlsafe(24)
    space, titles, assigned = _space(call.access, call.body.space_id), call.body.titles, call.body.assigned_to_me
    calendar = Calendar(call.caller.owner, space, titles is not False, bool(assigned), call.caller.through)
    await calendar_store.put(tx, calendar, call.use(DigestKey).digest(_named(token)), clock.now_ms())
    shown = ALL if space == ALL else space_id_of(space)
    return CalendarView(f"{call.origin}/calendar/{token}.ics", calendar.titles, shown, calendar.assigned)


async def delete_calendar(tx: Tx, call: Call[None, CalendarQuery]) -> Deleted:
    """End the address of the calendar of a space, by default of your own."""
    if not await calendar_store.remove(tx, call.caller.owner, _space(call.access, call.query.space_id or None)):
        raise NotFound
    return Deleted("calendar")


def _space(access: Access, space_id: str | None) -> str:
    """The owner of the space, or `all`, for a token that reaches all of its person's spaces. Raises SpaceNotFound."""
    if space_id == ALL and ALL in access.reach.words:
        return ALL
    return access.in_tasks(space_id)


def routes(services: Services, origins: Origins) -> list[Route]:
    return [Route("GET", "/calendar/{token}.ics", CalendarFeed(services, origins).read)]


class CalendarFeed:
    def __init__(self, services: Services, origins: Origins) -> None:
        self._db, self._key, self._origins = services.use(Database), services.use(DigestKey), origins
        self._admission, self._memberships = services.use(Admission), services.use(Memberships)
        self._rendered = RenderedCalendars()
        #: One at a time: rendering a full calendar takes half a second of the process.
        self._rendering = asyncio.Lock()

    async def read(self, exchange: Exchange, file: str) -> None:
        """Raises NotFound for an address that is not in use, and RateLimited."""
        as_todo = _wants_todos(exchange)
        calendar = await self._find(exchange, file)
        owners = await self._db.read(self._owners, calendar)
        assignee = calendar.owner if calendar.assigned else None
        look = CalendarLook(owners, assignee, calendar.titles, self._origins.of(exchange), as_todo)
        body = await self._render(look)
        etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = [*_HEADERS, _CACHED, ("etag", etag)]
        if names_it(exchange.header("if-none-match"), etag):
            exchange.respond(304, headers)
        else:
            exchange.respond(200, headers, body)

    async def _owners(self, tx: Tx, calendar: Calendar) -> tuple[str, ...]:
        """The owners whose tasks it shows now. Raises NotFound if it is of a space that its owner does not reach."""
        if calendar.space == calendar.owner and not is_shared(calendar.owner):
            return (calendar.owner,)
        joined = await self._memberships.find_spaces(tx, calendar.owner)
        owners = (calendar.owner, *joined[: MOST_SPACES - 1]) if calendar.space == ALL else (calendar.space,)
        if calendar.space not in (ALL, *joined):
            raise NotFound
        return owners

    async def _find(self, exchange: Exchange, file: str) -> Calendar:
        token, dot, ending = file.partition(".")
        calendar = None
        if (dot, ending) == (".", "ics") and len(token) <= 100 and token.isascii():
            calendar = await self._db.read(calendar_store.find, *self._key.digests(_named(token)))
        if calendar is None:
            await self._admission.charge_address(exchange)
            raise NotFound
        await self._admission.charge(f"calendar {self._key.digest(_named(token)).hex()}")
        return calendar

    async def _render(self, look: CalendarLook) -> bytes:
        """Today's bytes of one calendar, from memory unless its tasks have changed."""
        today = clock.now_ms() // DAY_MS * DAY_MS
        versions = await self._db.read(find_versions, look.owners, today - BACK_MS, look.assignee)
        state = hashlib.blake2b(msgspec.json.encode((today, versions)), digest_size=16).digest()
        if (body := self._rendered.find(look, state)) is not None:
            return body
        async with self._rendering:
            if (body := self._rendered.find(look, state)) is not None:
                return body
            rows = await self._db.read(find_rows, look.owners, [task_id for _, task_id, _ in versions])
            body = await asyncio.to_thread(_written, look, rows, today)
            self._rendered.keep(look, state, body)
            return body


def _wants_todos(exchange: Exchange) -> bool:
    kinds = parse_qs(exchange.query, keep_blank_values=True).get("type", ["event"])
    if kinds not in (["event"], ["todo"]):
        raise InvalidParameter("type: expected event or todo.")
    return kinds == ["todo"]


def _written(look: CalendarLook, rows: Sequence[Row], now: int) -> bytes:
    """Takes milliseconds for a thousand tasks: not on the event loop."""
    entries = entries_of(TASKS.read_all(rows), now, look.origin, look.titles, coming=not look.as_todo)
    return as_todos(entries) if look.as_todo else as_events(entries, LENGTH_MS)


def _named(token: str) -> str:
    """The token, marked as a calendar's: no other kind of secret has the same digest."""
    return f"calendar {token}"


ENDPOINTS: list[AnyEndpoint] = [
    Endpoint(
        "POST", "/taskapp/calendar", create_calendar, CalendarView, scope="tasks:write", body=CalendarBody, status=201,
        secret=True, role=Role.VIEWER, example_body={"titles": True},
        example={"url": "https://stow.example.com/calendar/….ics", "titles": True, "spaceId": "~alice",
                 "assignedToMe": False},
    ),
    Endpoint(
        "DELETE", "/taskapp/calendar", delete_calendar, Deleted, scope="tasks:write", role=Role.VIEWER,
        query=CalendarQuery, example={"id": "calendar", "deleted": True},
    ),
]  # fmt: skip
