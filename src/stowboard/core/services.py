"""The components that the composition root built, found by their type.

An endpoint or a job asks for what it needs (`call.use(BlobStore)`), so that neither is built again for each
installation. Every component is added before the service starts.
"""

from typing import Any, TypeVar

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
