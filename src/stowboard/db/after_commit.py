"""Calls and notifications that follow a commit, in either dialect."""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

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
        """A savepoint that is undone takes with it what was added inside."""
        calls, channels = mark
        del self._calls[calls:]
        del self._channels[channels:]

    def schedule(
        self, loop: asyncio.AbstractEventLoop, notify: Callable[[str], None], wake: Callable[[str], None]
    ) -> bool:
        """Let the event loop do it next; False if there is nothing.

        The transaction has succeeded whatever a call does, so an error of one goes to the loop's exception handler.
        """
        for call in self._calls:
            loop.call_soon(call)
        for channel, everywhere in dict.fromkeys(self._channels):
            (notify if everywhere else wake)(channel)
        return bool(self._calls)
