"""Calls and notifications that follow a commit, in either dialect."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from stowboard.core.caller import Author

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


class TxEffects:
    """The part of a transaction that says what follows its commit, the same in either dialect."""

    __slots__ = ("_after", "author")

    def __init__(self, after: AfterCommit | None) -> None:
        self._after = after
        self.author: Author | None = None

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
