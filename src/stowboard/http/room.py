"""The memory that bodies may take together: who does not fit waits a little, in the order of arrival, then is told 503.

A body is weighed by what it becomes while it is worked on, before its first byte is read: until then it waits in the
buffers of the network. Short ones are not weighed.
"""

import asyncio
from collections import deque

from stowboard.core.errors import ServiceUnavailable

#: Bytes that are not worth counting.
SMALL = 64 * 1024
#: A body of base64 is in memory as it came, as text, without white space, and decoded, and some of these twice.
COPIES = 5
WAIT_SECONDS = 10.0


class NoRoom(ServiceUnavailable):
    message = "The server works on as many large bodies as its memory holds. Nothing was changed; retry in a moment."


class Room:
    """One that is larger than all of it gets in alone."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._used = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def take(self, length: int) -> int:
        """Room for a body of this length; what is to be given back. Raises NoRoom."""
        if length <= SMALL:
            return 0
        weight = COPIES * length
        if self._waiting or not self._fits(weight):
            await self._wait(weight)
        else:
            self._used += weight
        return weight

    def give_back(self, weight: int) -> None:
        self._used -= weight
        self._let_in()

    def _fits(self, weight: int) -> bool:
        return not self._used or self._used + weight <= self._size

    async def _wait(self, weight: int) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((weight, turn))
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self.give_back(weight)  # let in and given up at the same moment
            else:
                self._waiting.remove((weight, turn))
                self._let_in()  # a smaller one may have stood behind it
            if isinstance(error, TimeoutError):
                raise NoRoom from None
            raise

    def _let_in(self) -> None:
        while self._waiting and self._fits(self._waiting[0][0]):
            weight, turn = self._waiting.popleft()
            if not turn.done():
                self._used += weight
                turn.set_result(None)
