"""Lists: pages by cursor. A page ends at a position, and the next one begins behind it."""

from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, AnyCall, PageMeta
from stowboard.core.cursor import Position, read_cursor, write_cursor
from stowboard.core.signing import Keyring

T = TypeVar("T")


class PageQuery(msgspec.Struct, frozen=True):
    """The parameters that every list takes."""

    largest: ClassVar[int] = 100

    limit: Annotated[int, Meta(ge=1, description="How many at most; more than 100 are given as 100.")] = 50
    cursor: Annotated[str, Meta(description="`meta.nextCursor` of the page before.")] | UnsetType = UNSET

    @property
    def size(self) -> int:
        return min(self.limit, self.largest)


class Page:
    """The page that a call asks for: the next `size` items behind the position `after`, or the first if that is None.

    The binding names the list, its owner and its filters. A cursor with another binding raises InvalidCursor.
    """

    __slots__ = ("_binding", "_keyring", "after", "size")

    def __init__(self, call: AnyCall, *binding: object) -> None:
        query: PageQuery = call.query
        self._keyring, self._binding, self.size = call.use(Keyring), binding, query.size
        self.after = None if query.cursor is UNSET else read_cursor(self._keyring, query.cursor, *binding)

    def answer(self, items: Any, end: Position | None) -> Answer:
        """The answer with these items. If `end` is a position, more items follow behind it."""
        cursor = None if end is None else write_cursor(self._keyring, end, *self._binding)
        return Answer(items, PageMeta(limit=self.size, has_more=end is not None, next_cursor=cursor))


def given(value: T | UnsetType) -> T | None:
    """The value of a parameter; None if it was left out."""
    return None if value is UNSET else value
