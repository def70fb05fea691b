"""Whose turn it is: whatever works or waits for people serves the owner who was served longest ago.

Queues of jobs take their turns by it, and `Lanes` is a queue for work in the memory of one process. Neither promises
anything across processes: each goes round by itself.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

_MOST_REMEMBERED = 10_000


class Turns:
    """The owners who are served now, and the order in which others were. Nobody has more than `each` places."""

    def __init__(self, each: int) -> None:
        self._each = each
        self._busy: Counter[str] = Counter()
        #: The owner who was served last is at the end.
        self._served: OrderedDict[str, None] = OrderedDict()

    def plan(self, owners: Collection[str], places: int) -> dict[str, int]:
        """How many places each of these waiting owners gets, the one served longest ago first."""
        spare = {owner: self._each - self._busy[owner] for owner in owners if self._busy[owner] < self._each}
        ages = {owner: age for age, owner in enumerate(self._served, 1)}
        order, given = deque(sorted(spare, key=lambda owner: ages.get(owner, 0))), dict[str, int]()
        while order and places > 0:
            owner, places = order.popleft(), places - 1
            given[owner] = given.get(owner, 0) + 1
            if given[owner] < spare[owner]:
                order.append(owner)
        return given

    def begin(self, owner: str) -> None:
        self._busy[owner] += 1
        self._served[owner] = None
        self._served.move_to_end(owner)
        if len(self._served) > _MOST_REMEMBERED:
            self._served.popitem(last=False)

    def end(self, owner: str) -> None:
        self._busy[owner] -= 1
        if not self._busy[owner]:
            del self._busy[owner]


class Lanes:
    """`places` for work in memory, at most `each` of them for one owner. Who waits gets one when it is their turn."""

    def __init__(self, places: int, each: int) -> None:
        self._free, self._turns = places, Turns(each)
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def take(self, owner: str) -> None:
        """Wait for a place; whoever has one gives it back by `leave`."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        self._give()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._give()
            else:
                self.leave(owner)
            raise

    @asynccontextmanager
    async def place(self, owner: str) -> AsyncIterator[None]:
        await self.take(owner)
        try:
            yield
        finally:
            self.leave(owner)

    def leave(self, owner: str) -> None:
        self._free += 1
        self._turns.end(owner)
        self._give()

    def _give(self) -> None:
        for owner, turns in list(self._waiting.items()):
            while turns and turns[0].done():
                turns.popleft()
            if not turns:
                del self._waiting[owner]
        for owner, number in self._turns.plan(self._waiting, self._free).items():
            for _ in range(min(number, len(self._waiting[owner]))):
                self._waiting[owner].popleft().set_result(None)
                self._turns.begin(owner)
                self._free -= 1
