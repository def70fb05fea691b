"""All streams of this process: the feed is read once, and each event goes to every stream that wants it.

A stream that begins in the past reads its own pages until it has caught up, then joins the others. Sending waits for
nobody, so there is a task only for those who catch up, and no thread. Streams end when their token does: all tokens
are checked together, about twice a second; a stream whose token reaches other spaces now tells of those.

Clients come back with the last position that they saw, so it passes nothing that was not looked at with the reach of
its moment or a later one: a page is read with the reach that its token has after the page's end, and before events are
sent that may widen a reach, all tokens are looked at.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Collection

from msgspec.structs import replace

from stowboard.core.background_loop import BackgroundLoop
from stowboard.core.errors import Problem, ServiceUnavailable
from stowboard.db.database import Database
from stowboard.events.feed import (
    CursorExpired,
    Event,
    EventFilter,
    LivingTokens,
    get_head,
    read_after,
    read_in_reach,
    read_page,
)
from stowboard.events.sequencer import READABLE
from stowboard.events.stream import (
    KEEP_ALIVE,
    PROBE,
    RESET,
    RETRY_MS,
    RETRY_SOON_MS,
    RETRY_STOPPED_MS,
    Stream,
    frame,
    frames,
    mark,
)
from stowboard.http.exchange import Sink

#: Half of the connections that a process takes. The other half is for requests.
MOST_STREAMS = 2048
HEARTBEAT_SECONDS = 15.0
#: How often tokens are checked; how often the feed is read if nothing wakes us.
LOOK_SECONDS = 0.4
POLL_SECONDS = 1.0
_BATCH = 100
#: After this many sends the event loop gets its turn.
_SENDS = 500
log = logging.getLogger("stowboard.events")

#: Events of these kinds come with every change that widens somebody's reach.
_WIDENING = "space."


class TooManyStreams(Problem):
    status, code = 429, "too_many_streams"
    message = "The session, client or token has as many streams open as it may. Close one, or share one."
    advice = "Close a stream, or let all readers share one."

    def __init__(self) -> None:
        super().__init__(headers=(("retry-after", "5"),))


class Hub:
    def __init__(self, db: Database, living_tokens: LivingTokens, streams_per_token: int) -> None:
        self._db, self.living_tokens, self._most_per_bucket = db, living_tokens, streams_per_token
        self._streams: set[Stream] = set()
        #: Streams that have caught up; then the same streams, by the owners whose events they want.
        self._joined: set[Stream] = set()
        self._owners: dict[str, set[Stream]] = {}
        self._by_bucket: Counter[str] = Counter()
        #: The position up to which the joined streams were sent everything.
        self._position = 0
        self._next_beat = time.monotonic() + HEARTBEAT_SECONDS
        self._telling = BackgroundLoop(log, "telling streams of events", self._tell_new)
        self._watching = BackgroundLoop(log, "looking at the tokens of streams", self._watch, retry_s=LOOK_SECONDS)
        self._tasks: set[asyncio.Task[None]] = set()
        #: One look at the tokens at a time: the later one counts.
        self._stopped, self._looking = False, asyncio.Lock()

    def start(self) -> None:
        self._db.listen(READABLE[self._db.dialect], self._wake)
        self._telling.start()
        self._watching.start()

    async def stop(self) -> None:
        self.end_all()
        await self._telling.stop()
        await self._watching.stop()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def check_room(self, bucket: str) -> None:
        """`bucket` is the caller's. Raises TooManyStreams or ServiceUnavailable."""
        if self._by_bucket[bucket] >= self._most_per_bucket:
            self._forget_gone(bucket)
        if self._by_bucket[bucket] >= self._most_per_bucket:
            raise TooManyStreams
        if self._stopped or len(self._streams) >= MOST_STREAMS:
            raise ServiceUnavailable

    def open(
        self, token_id: str, bucket: str, wanted: EventFilter, asked: frozenset[str] | None, position: int, sink: Sink
    ) -> None:
        """Send the events that match after the position to the sink, from now on.

        `asked` are the only owners that it is about; None if they are all that the token reaches.
        """
        stream = Stream(sink, token_id, bucket, wanted, asked, position)
        self._streams.add(stream)
        self._by_bucket[bucket] += 1
        self._begin(self._catch_up(stream))

    def end_all(self) -> None:
        """End all streams. Their clients come back, here or to another node."""
        for stream in list(self._streams):
            self._end(stream, RETRY_STOPPED_MS)

    def refuse(self) -> None:
        """End all, and take no more."""
        self._stopped = True
        self.end_all()

    def _begin(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _wake(self) -> None:
        if self._joined:
            self._telling.wake()

    async def _catch_up(self, stream: Stream) -> None:
        try:
            while stream.open and not await self._read_on(stream):
                pass
        except Problem as problem:  # the database is away
            log.debug("a stream cannot catch up: %s", problem)
        except Exception:
            log.exception("a stream cannot catch up")
        if stream not in self._joined:
            self._end(stream, RETRY_MS)

    async def _read_on(self, stream: Stream) -> bool:
        """Send the stream its next page; True once it has joined the others."""
        await asyncio.sleep(0)  # a read may finish without waiting, and other tasks need their turn
        try:
            reading = stream.token_id, stream.position, stream.wanted, stream.asked, _BATCH
            stream.wanted, page = await self._db.read(read_in_reach, self.living_tokens, *reading)
        except CursorExpired:
            stream.position = (await self._db.read(get_head)).position
            stream.send(RESET + mark(stream.position))
            return False
        except Problem:
            await asyncio.sleep(POLL_SECONDS)
            return False
        if page.events:
            stream.send(frames(page.events))
        stream.position = stream.checked = page.position
        if not stream.open or (stream.position < self._position if self._joined else page.has_more):
            return False
        self._join(stream)
        return True

    def _join(self, stream: Stream) -> None:
        if not self._joined:
            self._position = stream.position
        self._joined.add(stream)
        self._enter(stream)
        self._telling.wake()

    def _enter(self, stream: Stream) -> None:
        for owner in stream.wanted.owners:
            self._owners.setdefault(owner, set()).add(stream)

    def _leave(self, stream: Stream) -> None:
        for owner in stream.wanted.owners:
            of_owner = self._owners.get(owner, set())
            of_owner.discard(stream)
            if not of_owner:
                self._owners.pop(owner, None)

    async def _tell_new(self) -> float:
        while self._joined:
            before = self._position
            events = await self._db.read(read_after, before, _BATCH)
            if not events:
                break
            if self._position == before:  # otherwise all streams have gone meanwhile, and others have come
                await self._tell(events)
        return POLL_SECONDS

    async def _tell(self, events: list[Event]) -> None:
        sends = 0
        for event in events:
            before = self._position
            while event.type.startswith(_WIDENING) and not await self._look(ends=False):
                pass  # further streams have joined meanwhile
            if self._position != before:
                return
            self._position = event.position
            sends += self._send(event)
            if sends > _SENDS:
                sends = 0
                await asyncio.sleep(0)
                if self._position != event.position:
                    return

    def _send(self, event: Event) -> int:
        """Send an event to its streams; returns how many there may be."""
        streams = tuple(self._owners.get(event.owner, ()))
        data = frame(event) if streams else b""
        for stream in streams:
            if event.position > stream.position and stream.wanted.includes(event):
                stream.send(data)
                if not stream.open:
                    self._forget(stream)
        return len(streams)

    async def _watch(self) -> float:
        if self._streams:
            await self._look(ends=True)
        if time.monotonic() >= self._next_beat:
            self._next_beat = time.monotonic() + HEARTBEAT_SECONDS
            self._send_all(self._joined, KEEP_ALIVE + mark(self._position))
        return LOOK_SECONDS

    async def _look(self, *, ends: bool) -> bool:
        """Look at the tokens of the streams; True if that was all that have joined by now.

        Without `ends`, reach that was lost counts until the next look.
        """
        async with self._looking:
            joined = {stream: self._position_of(stream) for stream in self._joined}
            tokens = {stream.token_id for stream in (self._streams if ends else joined)}
            living = await self._db.read(self.living_tokens, tokens)
            for stream in [each for each in self._streams if ends and each.token_id in tokens]:
                if stream.token_id not in living or stream.is_over:
                    self._end(stream, RETRY_SOON_MS)
            for stream, position in joined.items():
                owners = living.get(stream.token_id, frozenset()) | (frozenset() if ends else stream.wanted.owners)
                if stream in self._joined:
                    await self._change(stream, stream.wanted.within(owners, stream.asked))
                    stream.checked = position
            return self._joined <= joined.keys()

    async def _change(self, stream: Stream, wanted: EventFilter) -> None:
        """The token may reach other owners now. Events of new ones since the last look at it are sent first."""
        if wanted is stream.wanted:
            return
        self._leave(stream)
        added = replace(wanted, owners=wanted.owners - stream.wanted.owners)
        stream.wanted = replace(wanted, owners=wanted.owners & stream.wanted.owners)
        self._enter(stream)
        position = stream.checked
        while added.owners and position < self._position_of(stream) and stream.open:
            page = await self._db.read(read_page, position, added, _BATCH)
            position = min(page.position, self._position_of(stream))
            stream.send(frames(event for event in page.events if event.position <= position) + mark(position))
        if stream in self._joined:
            self._leave(stream)
            stream.wanted = wanted
            self._enter(stream)

    def _position_of(self, stream: Stream) -> int:
        """The position up to which a stream that has joined was sent everything."""
        return max(self._position, stream.position)

    def _forget_gone(self, bucket: str) -> None:
        """Probe the bucket's streams: only a send shows that a client has gone."""
        self._send_all([stream for stream in self._streams if stream.bucket == bucket], PROBE)

    def _send_all(self, streams: Collection[Stream], data: bytes) -> None:
        for stream in tuple(streams):
            stream.send(data)
            if not stream.open:
                self._forget(stream)

    def _end(self, stream: Stream, retry_ms: int) -> None:
        stream.end(retry_ms)
        self._forget(stream)

    def _forget(self, stream: Stream) -> None:
        if stream not in self._streams:
            return
        self._streams.remove(stream)
        self._joined.discard(stream)
        self._leave(stream)
        self._by_bucket[stream.bucket] -= 1
        if not self._by_bucket[stream.bucket]:
            del self._by_bucket[stream.bucket]
