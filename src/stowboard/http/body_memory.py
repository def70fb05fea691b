"""The memory that request bodies share. A body that does not fit waits for its turn; after a while it gets 503.

A body's weight is the memory that it will need while it is processed. It is taken before the first byte is read; until
then the body waits in the buffers of the network. Short bodies do not count.
"""

import asyncio

from stowboard.core.errors import ServiceUnavailable

#: Bodies of at most this many bytes are not counted.
SMALL = 64 * 1024
#: A body of base64 is in memory in several forms: as received, as text, without white space, decoded; some of them
#: twice.
COPIES = 5
WAIT_SECONDS = 10.0


class BodyMemoryFull(ServiceUnavailable):
    message = "The server works on as many large bodies as its memory holds. Nothing was changed; retry in a moment."


class BodyMemory:
    """The shared memory. A body that is larger than all of it is admitted when it is empty."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._used = 0
        #: Waiting weights, in the order of arrival. A body that stops waiting removes its own.
        self._waiting: dict[asyncio.Future[None], int] = {}

    async def take(self, length: int) -> int:
        """Reserve memory for a body of this length and return the weight to give back. Raises BodyMemoryFull."""
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
        self._waiting[turn] = weight
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self.give_back(weight)  # it was admitted and cancelled at the same moment
            else:
                self._waiting.pop(turn, None)  # `_let_in` may have met it first
                self._let_in()  # a smaller one behind it may fit
            if isinstance(error, TimeoutError):
                raise BodyMemoryFull from None
            raise

    def _let_in(self) -> None:
        while self._waiting:
            turn, weight = next(iter(self._waiting.items()))
            if not turn.done() and not self._fits(weight):
                return
            del self._waiting[turn]
            if not turn.done():
                self._used += weight
                turn.set_result(None)
