"""The filters that lists of tasks, of assets and of videos share."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from stowboard.api.paging import PageQuery, given
from stowboard.core.clock import Timestamp
from stowboard.core.metadata import AskedPair, pair_asked_for
from stowboard.core.tags import TagsFilter, tags_asked_for
from stowboard.search.asked import Query, read_query


class ListQuery(PageQuery, frozen=True, rename="camel"):
    """Filters of a list; all that are given must hold."""

    tags: TagsFilter | UnsetType = UNSET
    metadata: AskedPair | UnsetType = UNSET
    q: Query | UnsetType = UNSET
    updated_after: Annotated[Timestamp, Meta(description="Changed at this time or later.")] | UnsetType = UNSET

    def shared_filters(self) -> dict[str, Any]:
        """The filters as the indexes take them, by their names there."""
        return {
            "tags": () if self.tags is UNSET else tags_asked_for(self.tags),
            "metadata": None if self.metadata is UNSET else pair_asked_for(self.metadata),
            "asked": read_query(self.q) if self.q else None,
            "updated_after": given(self.updated_after),
        }
