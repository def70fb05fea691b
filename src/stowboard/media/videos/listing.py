"""Lists of videos.

Candidates come from one range of an index that has the wanted order; the filters that the range does not answer are
checked on them: see `db.scan`. By creation, which is the order of ids, the range is that of the pair of metadata, else
of a tag, else of the status, else of all; in the other orders it is that of all. Words are looked up in the index of
search as for assets (`assets.listing`).
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

import msgspec
from msgspec.structs import replace

from stowboard.core.cursor import Position
from stowboard.core.metadata import Pair
from stowboard.db.database import Tx
from stowboard.db.scan import NEWEST, IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.media.assets.listing import created_between
from stowboard.media.base.asset import MediaVisibility
from stowboard.media.videos.video import Video, VideoStatus
from stowboard.media.videos.video_store import COLUMNS
from stowboard.search.asked import ParsedQuery, SearchType
from stowboard.search.document import VIDEOS
from stowboard.search.filling import require_filled
from stowboard.search.pages import find_few, find_newest, not_empty, one_of
from stowboard.search.store import ScopedQuery
from stowboard.search.texts import matches


class VideoSort(StrEnum):
    NEWEST = "-createdAt"
    OLDEST = "createdAt"
    LAST_UPDATED = "-updatedAt"
    FIRST_UPDATED = "updatedAt"
    TITLE = "title"


class VideoFilters(msgspec.Struct, frozen=True):
    status: VideoStatus | None = None
    #: All of them.
    tags: tuple[str, ...] = ()
    visibility: MediaVisibility | None = None
    #: A name and its value.
    metadata: Pair | None = None
    asked: ParsedQuery | None = None
    #: The ids of all videos that have the words, if these are few.
    among: tuple[str, ...] | None = None
    #: Created at this time or later; created before this time.
    created_after: int | None = None
    created_before: int | None = None
    #: Changed at this time or later.
    updated_after: int | None = None
    sort: VideoSort = VideoSort.NEWEST


#: Each has an index of its own.
ORDERS = {
    VideoSort.NEWEST: NEWEST,
    VideoSort.OLDEST: ScanOrder(("id",), descending=False),
    VideoSort.LAST_UPDATED: ScanOrder(("updated_at", "id"), descending=True),
    VideoSort.FIRST_UPDATED: ScanOrder(("updated_at", "id"), descending=False),
    VideoSort.TITLE: ScanOrder(("title", "id"), descending=False),
}


async def list_videos(tx: Tx, filters: VideoFilters, after: Position | None, size: int) -> RowPage[Video]:
    """Raises SearchNotReady."""
    if filters.asked is not None:
        return await _find_videos(tx, filters, filters.asked, after, size)
    return await _page(tx, filters, size, after)


async def find_passing(tx: Tx, filters: VideoFilters, ids: Sequence[str]) -> dict[str, Video]:
    """Those of these videos for which all filters but the words hold, by their ids."""
    arguments, among = SqlArguments(), replace(filters, among=tuple(ids))
    told = [one_of(tx, arguments, "t.id", ids), *_conditions(tx, arguments, among)]
    rows = await tx.all(f"SELECT {COLUMNS.names} FROM video AS t WHERE {' AND '.join(told)}", *arguments.values)
    return {video.id: video for video in COLUMNS.read_all(rows)}


async def _find_videos(
    tx: Tx, filters: VideoFilters, asked: ParsedQuery, after: Position | None, size: int
) -> RowPage[Video]:
    await require_filled(tx, [SearchType.VIDEO])
    if SearchType.VIDEO not in asked.types or asked.due:
        return RowPage([], None)
    wanted = ScopedQuery(asked, (VIDEOS,))
    if filters.sort is VideoSort.NEWEST:
        return await find_newest(tx, wanted, partial(find_passing, tx, filters), after, size)
    few = await find_few(tx, wanted)
    among = replace(filters, among=None if few is None else tuple(few))
    return await not_empty(tx, partial(_page, tx, among, size), after)


async def _page(tx: Tx, filters: VideoFilters, size: int, after: Position | None) -> RowPage[Video]:
    arguments = SqlArguments()
    source, rest = _narrowed(tx, arguments, filters)
    scan = Scan(
        columns=COLUMNS.fields,
        read=COLUMNS.read_all,
        ranges=(source,),
        order=ORDERS[filters.sort],
        table="video",
        conditions=tuple(_conditions(tx, arguments, rest)),
    )
    return await scan.page(tx, arguments, after, size)


def _narrowed(tx: Tx, arguments: SqlArguments, filters: VideoFilters) -> tuple[IndexRange, VideoFilters]:
    """A range, and the filters that it does not answer."""
    if filters.among is not None:
        return IndexRange("video", (one_of(tx, arguments, "id", filters.among),)), filters
    order = ORDERS[filters.sort].names[0]
    if order == "updated_at" and filters.updated_after is not None:
        since = f"updated_at >= {arguments.add(filters.updated_after)}"
        return IndexRange("video", (since,)), replace(filters, updated_after=None)
    if order != "id":
        return IndexRange("video"), filters
    rest = replace(filters, created_after=None, created_before=None)
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        created = _created(arguments, "video_id", filters)
        pair = IndexRange("video_metadata", (f"name = {name}", f"value = {value}", *created), id="video_id")
        return pair, replace(rest, metadata=None)
    if filters.tags:
        created = _created(arguments, "video_id", filters)
        tagged = IndexRange("video_tag", (f"tag = {arguments.add(filters.tags[0])}", *created), id="video_id")
        return tagged, replace(rest, tags=filters.tags[1:])
    created = _created(arguments, "id", filters)
    if filters.status is not None:
        return IndexRange("video", (f"status = {arguments.add(filters.status)}", *created)), replace(rest, status=None)
    return IndexRange("video", tuple(created)), rest


def _conditions(tx: Tx, arguments: SqlArguments, filters: VideoFilters) -> list[str]:
    """Conditions on a video `t`, beside that it is one of `among`."""
    conditions = [
        f"EXISTS (SELECT 1 FROM video_tag AS g WHERE g.tag = {arguments.add(tag)} AND g.video_id = t.id"
        " LIMIT 1 OFFSET 0)"
        for tag in filters.tags
    ]
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        conditions.append(
            f"EXISTS (SELECT 1 FROM video_metadata AS m WHERE m.name = {name} AND m.value = {value}"
            " AND m.video_id = t.id LIMIT 1 OFFSET 0)"
        )
    equal = {"status": filters.status, "visibility": filters.visibility}
    conditions += [f"t.{name} = {arguments.add(value)}" for name, value in equal.items() if value is not None]
    conditions += _created(arguments, "t.id", filters)
    if filters.updated_after is not None:
        conditions.append(f"t.updated_at >= {arguments.add(filters.updated_after)}")
    if filters.asked is not None:
        conditions += [f"t.status = {arguments.add(status)}" for status in filters.asked.statuses]
        conditions += [f"t.status <> {arguments.add(status)}" for status in filters.asked.not_statuses]
        conditions += [] if filters.among is not None else [matches(tx.dialect, arguments, filters.asked, "t.id")]
    return conditions


def _created(arguments: SqlArguments, video_id: str, filters: VideoFilters) -> list[str]:
    return created_between(arguments, "vid", video_id, filters.created_after, filters.created_before)
