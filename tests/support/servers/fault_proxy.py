"""A TCP proxy that fails on demand, in a thread with an event loop of its own.

    with FaultProxy("127.0.0.1", 5432) as proxy:
        connect(proxy.port)
        proxy.fault = Stall()          # bytes stop, connections stay
        proxy.fault = Delay(0.1)       # each piece waits
        proxy.fault = CutAfter(1000)   # both sides are cut once so many more bytes have passed
        proxy.fault = CutCommit()      # PostgreSQL commits, and its answer is lost with the connection
        proxy.fault = Pass()
        proxy.refuse()                 # nobody listens any more; `accept` opens the same port again
        proxy.reset_all()              # every connection ends with RST

A fault is for all connections, old and new, from the next piece of bytes on.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from support.servers.connections import Connections, close_listener
from support.waiting import PATIENCE_SECONDS

T = TypeVar("T")

_PIECE = 65536
#: So much of what was said last is looked at for a transaction's text: all of an upload would be copied for each piece.
_SAID = 2 * _PIECE


@dataclass(frozen=True)
class Pass:
    """Forward everything."""


@dataclass(frozen=True)
class Delay:
    seconds: float


@dataclass(frozen=True)
class CutAfter:
    count: int


@dataclass(frozen=True)
class Stall:
    """Forward nothing, close nothing."""


@dataclass(frozen=True)
class CutCommit:
    """Lose the answer to each so-manieth COMMIT, and its connection; of transactions with this text alone, if given.

    A statement that its connection has prepared before comes without its text.
    """

    every: int = 1
    of: bytes = b""


Fault = Pass | Delay | CutAfter | CutCommit | Stall
_COMMIT = b"Q\x00\x00\x00\x0bCOMMIT\x00"


class FaultProxy:
    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fault-proxy")
        self._server: asyncio.Server | None = None
        self._links: set[asyncio.Task[None]] = set()
        self._connections = Connections()
        self._fault: Fault = Pass()
        self._changed = asyncio.Event()
        self._passed = 0
        #: How many bytes went through at all, both ways together.
        self.total = 0
        self.port = 0
        #: That were met by CutCommit.
        self.commits = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self.accept()
        return self

    def __exit__(self, *_: object) -> None:
        self.refuse()
        self._in_loop(self._connections.end_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def passed(self) -> int:
        """How many bytes went through since the fault was set, both ways together."""
        return self._passed

    @property
    def open_links(self) -> int:
        return len(self._links)

    @property
    def fault(self) -> Fault:
        return self._fault

    @fault.setter
    def fault(self, fault: Fault) -> None:
        self._in_loop(self._set_fault(fault))

    def accept(self) -> None:
        self._in_loop(self._listen())

    def refuse(self) -> None:
        self._in_loop(self._close_listener())

    def reset_all(self) -> None:
        self._in_loop(self._reset_all())

    def _in_loop(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE_SECONDS)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._accepted, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close_listener(self) -> None:
        if self._server is not None:
            await close_listener(self._server)
            self._server = None

    async def _set_fault(self, fault: Fault) -> None:
        self._fault, self._passed = fault, 0
        self._changed.set()
        self._changed = asyncio.Event()

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = asyncio.current_task()
        assert link is not None
        self._links.add(link)
        self._connections.add(writer)
        try:
            await self._link(reader, writer)
        finally:
            self._links.discard(link)
            writer.close()

    async def _link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection(*self._target)
        except OSError:
            return
        self._connections.add(far_writer)
        try:
            commits = _Commits()
            ways = (
                self._forward(reader, far_writer, commits.asked),
                self._forward(far_reader, writer, commits.answered),
            )
            await asyncio.wait([asyncio.create_task(way) for way in ways], return_when=asyncio.FIRST_COMPLETED)
        finally:
            far_writer.close()

    def _is_cut(self, commits: "_Commits") -> bool:
        if not isinstance(self._fault, CutCommit) or not commits.open or self._fault.of not in commits.said:
            return False
        self.commits += 1
        return self.commits % self._fault.every == 0

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, look: Callable[[bytes], "_Commits"]
    ) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(_PIECE):
                commits = look(piece)
                if commits.answering and self._is_cut(commits):
                    return
                while isinstance(self._fault, Stall):
                    await self._changed.wait()
                if isinstance(self._fault, Delay):
                    await asyncio.sleep(self._fault.seconds)
                if isinstance(self._fault, CutAfter):
                    piece = piece[: max(0, self._fault.count - self._passed)]
                writer.write(piece)
                await writer.drain()
                self._passed += len(piece)
                self.total += len(piece)
                if isinstance(self._fault, CutAfter) and self._passed >= self._fault.count:
                    return

    async def _reset_all(self) -> None:
        self._connections.reset_all()


class _Commits:
    """Follows what one connection says to PostgreSQL, to tell when its COMMIT is answered."""

    def __init__(self) -> None:
        self.said = b""
        self.open = self.answering = False

    def asked(self, piece: bytes) -> "_Commits":
        if self.open:
            self.said, self.open = b"", False
        self.said = (self.said + piece)[-_SAID:]
        self.open, self.answering = _COMMIT in piece, False
        return self

    def answered(self, _: bytes) -> "_Commits":
        self.answering = True
        return self
