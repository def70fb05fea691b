"""Lists: a page's size and its meta."""

from typing import Annotated, Any

import msgspec

from stowboard.api.endpoint import Answer, PageMeta

DEFAULT_LIMIT = 50
LARGEST_LIMIT = 100


class PageQuery(msgspec.Struct, frozen=True):
    """The parameters that every list takes."""

    limit: Annotated[int, msgspec.Meta(ge=1, description="How many at most; more than 100 are given as 100.")] = (
        DEFAULT_LIMIT
    )
    cursor: Annotated[str | None, msgspec.Meta(description="`meta.nextCursor` of the page before.")] = None

    @property
    def size(self) -> int:
        return min(self.limit, LARGEST_LIMIT)


def page(items: list[Any], size: int, next_cursor: str | None) -> Answer:
    return Answer(items, PageMeta(limit=size, has_more=next_cursor is not None, next_cursor=next_cursor))
