"""Lists of videos.

In the order of creation, which is the order of ids, candidates come from the first of these ranges that applies: the
pair of metadata, a tag, the status, all videos. In other orders they come from the range of all videos.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec.structs import replace

from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.scan import NEWEST, IndexRange, RowPage, ScanOrder, SqlArguments
from stowboard.media.base.listing import MediaFilters, MediaListing
from stowboard.media.videos.video import Video, VideoStatus
from stowboard.media.videos.video_store import COLUMNS
from stowboard.search.asked import SearchType
from stowboard.search.document import videos_of


class VideoSort(StrEnum):
    NEWEST = "-createdAt"
    OLDEST = "createdAt"
    LAST_UPDATED = "-updatedAt"
    FIRST_UPDATED = "updatedAt"
    TITLE = "title"
    LARGEST = "-size"
    SMALLEST = "size"


class VideoFilters(MediaFilters, frozen=True, kw_only=True):
    sort: VideoSort = VideoSort.NEWEST
    status: VideoStatus | None = None


#: Each has an index of its own.
ORDERS = {
    VideoSort.NEWEST: NEWEST,
    VideoSort.OLDEST: ScanOrder(("id",), descending=False),
    VideoSort.LAST_UPDATED: ScanOrder(("updated_at", "id"), descending=True),
    VideoSort.FIRST_UPDATED: ScanOrder(("updated_at", "id"), descending=False),
    VideoSort.TITLE: ScanOrder(("title", "id"), descending=False),
    VideoSort.LARGEST: ScanOrder(("size", "id"), descending=True),
    VideoSort.SMALLEST: ScanOrder(("size", "id"), descending=False),
}


async def list_videos(tx: Tx, filters: VideoFilters, after: Position | None, size: int) -> RowPage[Video]:
    """A page is empty only if nothing follows, unless words are looked for. Raises SearchNotReady."""
    return await _VideoListing(tx).list_page(filters, after, size)


async def find_passing(tx: Tx, filters: VideoFilters, ids: Sequence[str]) -> dict[str, Video]:
    """The videos with these ids that pass all filters except the words, by id."""
    return await _VideoListing(tx).find_passing(filters, ids)


async def list_trashed_videos(tx: Tx, spaces: Sequence[str], after: Position | None, size: int) -> RowPage[Video]:
    return await _VideoListing(tx).list_trash(spaces, after, size)


class _VideoListing(MediaListing[VideoFilters, Video]):
    table, id_prefix, columns, orders, optional = "video", "vid", COLUMNS, ORDERS, "size"
    search_type = SearchType.VIDEO

    def scope_of(self, space: str) -> str:
        return videos_of(space)

    async def narrowed(
        self, arguments: SqlArguments, filters: VideoFilters
    ) -> tuple[tuple[IndexRange, ...], VideoFilters]:
        if filters.among is not None:
            return self.of_ids(arguments, filters, filters.among), filters
        order = ORDERS[filters.sort].names[0]
        if order == "updated_at" and filters.updated_after is not None:
            since = f"updated_at >= {arguments.add(filters.updated_after)}"
            return self.each_space(arguments, filters, since), replace(filters, updated_after=None)
        if order != "id":
            return self.each_space(arguments, filters, *self.has_a_place(filters)), filters
        rest = replace(filters, created_after=None, created_before=None)
        if filters.metadata is not None:
            return self.with_pair(arguments, filters, filters.metadata), replace(rest, metadata=None)
        if filters.tags:
            return self.with_tag(arguments, filters, filters.tags[0]), replace(rest, tags=filters.tags[1:])
        created = self.created(arguments, "id", filters)
        if filters.status is not None:
            created.append(f"status = {arguments.add(filters.status)}")
        return self.each_space(arguments, filters, *created), replace(rest, status=None)
