"""The components that the composition root built, found by their type.

An endpoint or a job asks for what it needs (`call.use(BlobStore)`), so that neither is built again for each
installation. Every component is added before the service starts. Rooms that an idle server does not need are loaded at
their first use (`Late`).
"""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

import stowboard
from stowboard.core.errors import ServiceUnavailable

log = logging.getLogger("stowboard")
_INSTALLED = Path(stowboard.__file__)
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

    Another release may have been installed over the one that runs. Its modules do not fit those that are loaded, so
    nothing more is loaded then, until the restart.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._lock = make, Lock()
        self._made: list[T] = []

    async def use(self) -> T:
        return self._made[0] if self._made else await asyncio.to_thread(self.load)

    def load(self) -> T:
        """The same where waiting is fine: in a thread, or in a test. Raises ServiceUnavailable."""
        with self._lock:
            if not self._made:
                _check_installed()
                self._made.append(self._make())
        return self._made[0]


def _check_installed() -> None:
    try:
        same = f'"{stowboard.__version__}"' in _INSTALLED.read_text("utf-8")
    except OSError:  # it is being replaced
        same = False
    if not same:
        log.error("another release was installed over the one that runs: restart the service")
        raise ServiceUnavailable("Another release of Stowboard was installed. Its operator has to restart the service.")
