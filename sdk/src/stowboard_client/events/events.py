"""Events of tasks, boards and media: a feed to list, and a stream to follow."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Generic, ParamSpec, Self, overload

import httpx2

from stowboard_client.errors import CursorExpired
from stowboard_client.events.event_stream import EventStream, Message
from stowboard_client.transport.call import Actor, Call, Model, QueryValue, whole
from stowboard_client.transport.decoding import decode
from stowboard_client.transport.drivers import AsyncDriver, SyncDriver
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Resource
from stowboard_client.transport.signatures import dressed

P = ParamSpec("P")


class Event(Model, frozen=True, kw_only=True):
    """`type` says what happened to the `subject`; `data` names ids and changed members, never a text."""

    id: str
    type: str
    timestamp: str
    sequence: int
    subject: str
    data: dict[str, Any]
    space_id: str = ""
    #: The one who did it; None for the service itself.
    actor: Actor | None = None


def list_events(
    *,
    cursor: str | None = None,
    from_start: bool = False,
    types: Sequence[str] = (),
    subject: str | None = None,
    space: str | None = None,
    limit: int | None = None,
) -> Call[Page[Event]]:
    """Events, oldest first: from the cursor, from the oldest that is kept, or from now.

    Without `space`, events of every space that the token reaches. To continue later, use `meta.next_cursor` of the last
    page.
    """
    query = _query(cursor, types, subject)
    begin = "start" if from_start and cursor is None else None
    return Call("GET", "/events", whole(Page[Event]), query={**query, "from": begin, "limit": limit}, space=space)


def stream_events(
    *, cursor: str | None = None, types: Sequence[str] = (), subject: str | None = None, space: str | None = None
) -> Call[httpx2.Response]:
    """Events as they happen, from the cursor or from now on, for as long as the iteration goes on.

    A connection that ends is opened again where it was, so each event comes once. Raises CursorExpired if events after
    the cursor are no longer kept, or the error that the service answers with.
    """
    query = _query(cursor, types, subject)
    headers = {"accept": "text/event-stream"}
    return Call(
        "GET", "/events/stream", lambda response: response, query=query, headers=headers, stream=True, space=space
    )


class Follower:
    """Iterate it. `cursor` is where it is: give it to `follow` to go on another time."""

    def __init__(self, driver: SyncDriver, first: Call[httpx2.Response]) -> None:
        self._driver, self._first = driver, first
        self._stream = EventStream(_cursor(first))

    @property
    def cursor(self) -> str | None:
        return self._stream.cursor

    def __iter__(self) -> Iterator[Event]:
        while True:
            response = self._driver.run(_at(self._first, self._stream))
            try:
                for chunk in response.iter_bytes():
                    for message in self._stream.feed(chunk):
                        yield _event(message)
            except httpx2.RequestError:
                pass  # the next one goes on where this one was cut off
            finally:
                response.close()
            self._driver.sleep(self._stream.retry)


class AsyncFollower:
    """Iterate it. `cursor` is where it is: give it to `follow` to go on another time."""

    def __init__(self, driver: AsyncDriver, first: Call[httpx2.Response]) -> None:
        self._driver, self._first = driver, first
        self._stream = EventStream(_cursor(first))

    @property
    def cursor(self) -> str | None:
        return self._stream.cursor

    async def __aiter__(self) -> AsyncIterator[Event]:
        while True:
            response = await self._driver.run(_at(self._first, self._stream))
            try:
                async for chunk in response.aiter_bytes():
                    for message in self._stream.feed(chunk):
                        yield _event(message)
            except httpx2.RequestError:
                pass  # the next one goes on where this one was cut off
            finally:
                await response.aclose()
            await self._driver.sleep(self._stream.retry)


class Following(Generic[P]):
    """Like `Operation`, for a function that describes a stream."""

    def __init__(self, operation_id: str, describe: Callable[P, Call[httpx2.Response]]) -> None:
        self.operation_id = operation_id
        self._describe = describe

    @overload
    def __get__(self, resource: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, resource: Resource[SyncDriver], owner: object = None) -> Callable[P, Follower]: ...
    @overload
    def __get__(self, resource: Resource[AsyncDriver], owner: object = None) -> Callable[P, AsyncFollower]: ...
    def __get__(self, resource: Resource[Any] | None, owner: object = None) -> Any:
        if resource is None:
            return self
        driver = resource._driver
        follower = Follower if isinstance(driver, SyncDriver) else AsyncFollower

        def begin(*args: P.args, **kwargs: P.kwargs) -> Any:
            return follower(driver, self._describe(*args, **kwargs))

        return dressed(begin, self._describe, follower)


class Events(Resource[D]):
    list = Listing("listEvents", list_events)
    follow = Following("streamEvents", stream_events)


def _query(cursor: str | None, types: Sequence[str], subject: str | None) -> dict[str, QueryValue]:
    return {"cursor": cursor, "types": ",".join(types) or None, "subject": subject}


def _cursor(call: Call[httpx2.Response]) -> str | None:
    cursor = call.query["cursor"]
    return cursor if isinstance(cursor, str) else None


def _at(call: Call[httpx2.Response], stream: EventStream) -> Call[httpx2.Response]:
    stream.begin()
    return call.with_query(cursor=stream.cursor)


def _event(message: Message) -> Event:
    if message.kind == "reset":
        raise CursorExpired(410, "cursor_expired", "Events after the cursor are no longer kept.")
    return decode(message.data, Event)
