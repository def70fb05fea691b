"""Values made of the database's contents, given again until somebody writes.

A value is never stale: `Database.state` changes with every commit of every process, and then all values are forgotten.
So this helps clients that poll for what seldom changes. With steady writes it saves nothing, and costs a fraction of a
microsecond.
"""

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, ParamSpec, TypeVar

from stowboard.db.database import Database

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
P = ParamSpec("P")


def _each_alike(_key: object, _value: object) -> int:
    return 1


class RememberedReads(Generic[K, T]):
    def __init__(self, db: Database, most: int, weigh: Callable[[K, T], int] = _each_alike) -> None:
        """Holds up to `most` by weight, and is emptied when full. Clients choose keys, so `weigh` counts them too."""
        self._db, self._weigh, self._most = db, weigh, most
        self._values: dict[K, T] = {}
        self._weight = 0
        #: The database's state when a value was last looked for.
        self.state: bytes | None = None

    def find(self, key: K) -> T | None:
        """The value of the key, if nobody has written since."""
        state = self._db.state()
        if state != self.state:
            self._empty()
            self.state = state
        return self._values.get(key)

    def keep(self, key: K, value: T, since: bytes | None) -> None:
        """`value` was made of nothing but the key and the database, after that was in the state `since`.

        The value must never be changed. If somebody wrote meanwhile, it may be older than that write, and is not kept.
        """
        if since is None or since != self.state:
            return
        self._weight += self._weigh(key, value)
        if self._weight > self._most:
            self._empty()
        else:
            self._values[key] = value

    async def get(self, key: K, make: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> T:
        """The kept value of the key, otherwise the result of `make`. If that raises, nothing is kept."""
        value = self.find(key)
        if value is None:
            since = self.state
            value = await make(*args, **kwargs)
            self.keep(key, value, since)
        return value

    def _empty(self) -> None:
        self._values.clear()
        self._weight = 0
