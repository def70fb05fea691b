"""The components that the composition root built, found by their type.

An endpoint or a job asks for what it needs (`call.use(BlobStore)`), so that neither is built again for each
installation. Every component is added before the service starts. Rooms that an idle server does not need are loaded at
their first use (`Late`).
"""

import asyncio
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Services:
    def __init__(self) -> None:
        self._by_kind: dict[type, Any] = {}

    def add(self, kind: type[T], instance: T) -> None:
        if kind in self._by_kind:
            raise LookupError(f"{kind.__qualname__} was added twice; a type stands for one component.")
        self._by_kind[kind] = instance

    def use(self, kind: type[T]) -> T:
        try:
            found: T = self._by_kind[kind]
        except KeyError:
            raise LookupError(f"No {kind.__qualname__} was added; the composition root has to build one.") from None
        return found


class Late(Generic[T]):
    """A value that is made at its first use, from modules that are loaded for it.

    Loading takes up to some tenths of a second, so `use` does it in a thread and the event loop goes on. `make` has the
    import in it, where the type checker and import-linter see it. If it fails, the next use tries again.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._lock = make, Lock()
        self._made: list[T] = []

    async def use(self) -> T:
        return self._made[0] if self._made else await asyncio.to_thread(self.load)

    def load(self) -> T:
        """The same where waiting is fine: in a thread, or in a test."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
        return self._made[0]
