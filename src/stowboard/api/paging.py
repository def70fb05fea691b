"""Lists: pages by cursor. A page ends at a position, and the next one begins beyond it."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, AnyCall, PageMeta
from stowboard.core.cursor import read_cursor, write_cursor
from stowboard.core.signing import Keyring

T = TypeVar("T")
P = TypeVar("P", str, int)
DEFAULT_LIMIT = 50
LARGEST_LIMIT = 100


class PageQuery(msgspec.Struct, frozen=True):
    """The parameters that every list takes."""

    limit: Annotated[int, Meta(ge=1, description="How many at most; more than 100 are given as 100.")] = DEFAULT_LIMIT
    cursor: Annotated[str, Meta(description="`meta.nextCursor` of the page before.")] | UnsetType = UNSET

    @property
    def size(self) -> int:
        return min(self.limit, LARGEST_LIMIT)


async def paged(
    call: AnyCall,
    start: P,
    fetch: Callable[[P, int], Awaitable[list[T]]],
    position: Callable[[T], P],
    show: Callable[[T], Any],
    *binding: str,
) -> Answer:
    """The page that the call's `limit` and `cursor` ask for.

    `fetch` finds so many beyond a position, `start` being before them all. The binding names the list and what it is
    of: a cursor of another one is refused.
    """
    keyring, size, cursor = call.use(Keyring), call.query.size, call.query.cursor
    kind: Any = tuple[type(start)]  # type: ignore[misc]  # of one element, as it was written
    beyond: P = start if cursor is UNSET else read_cursor(keyring, cursor, kind, *binding)[0]
    found = await fetch(beyond, size + 1)
    next_cursor = write_cursor(keyring, (position(found[size - 1]),), *binding) if len(found) > size else None
    return page([show(item) for item in found[:size]], size, next_cursor)


def page(items: Any, size: int, next_cursor: str | None) -> Answer:
    return Answer(items, PageMeta(limit=size, has_more=next_cursor is not None, next_cursor=next_cursor))
