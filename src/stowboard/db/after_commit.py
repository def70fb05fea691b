"""The part of a transaction that is the same in either dialect: savepoints, and what follows the commit."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import TypeAlias

from stowboard.core.caller import Author
from stowboard.db.database import Value

Mark: TypeAlias = tuple[int, int]


class AfterCommit:
    __slots__ = ("_calls", "_channels", "scrub")

    def __init__(self) -> None:
        self._calls: list[Callable[[], None]] = []
        #: Each channel, and whether other processes are notified too.
        self._channels: list[tuple[str, bool]] = []
        self.scrub = False

    def call(self, call: Callable[[], None]) -> None:
        self._calls.append(call)

    def notify(self, channel: str) -> None:
        self._channels.append((channel, True))

    def wake(self, channel: str) -> None:
        self._channels.append((channel, False))

    def mark(self) -> Mark:
        return len(self._calls), len(self._channels)

    def forget_since(self, mark: Mark) -> None:
        """Drop what was added inside a savepoint that is undone."""
        calls, channels = mark
        del self._calls[calls:]
        del self._channels[channels:]

    def schedule(
        self, loop: asyncio.AbstractEventLoop, notify: Callable[[str], None], wake: Callable[[str], None]
    ) -> bool:
        """Have the event loop make the calls next; False if there are none.

        The transaction has succeeded already, so an error of a call goes to the loop's exception handler.
        """
        for call in self._calls:
            loop.call_soon(call)
        for channel, everywhere in dict.fromkeys(self._channels):
            (notify if everywhere else wake)(channel)
        return bool(self._calls)


class TxEffects(ABC):
    """Savepoints of a transaction, and what follows its commit."""

    __slots__ = ("_after", "author")

    def __init__(self, after: AfterCommit | None) -> None:
        self._after = after
        self.author: Author | None = None

    @abstractmethod
    async def run(self, sql: str, *args: Value) -> int:
        """See Tx.run."""

    @abstractmethod
    def goes_on_after(self, error: BaseException, /) -> bool:
        """True if the transaction can go back to a savepoint, and from there on takes statements again."""

    def savepoint(self) -> "Savepoint":
        return Savepoint(self, self._effects())

    def after_commit(self, call: Callable[[], None]) -> None:
        self._effects().call(call)

    def notify(self, channel: str) -> None:
        self._effects().notify(channel)

    def wake(self, channel: str) -> None:
        self._effects().wake(channel)

    def _effects(self) -> AfterCommit:
        if self._after is None:
            raise RuntimeError("Work that only reads has no savepoint, commits nothing and notifies nobody.")
        return self._after


class Savepoint:
    """Savepoints nest under one name: both databases mean the innermost of that name."""

    __slots__ = ("_after", "_mark", "_tx")

    def __init__(self, tx: TxEffects, after: AfterCommit) -> None:
        self._tx, self._after = tx, after
        self._mark: Mark = (0, 0)

    async def __aenter__(self) -> None:
        await self._tx.run("SAVEPOINT inner_work")
        self._mark = self._after.mark()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            await self._tx.run("RELEASE SAVEPOINT inner_work")
        elif self._tx.goes_on_after(error):
            self._after.forget_since(self._mark)
            await self._tx.run("ROLLBACK TO SAVEPOINT inner_work; RELEASE SAVEPOINT inner_work")
