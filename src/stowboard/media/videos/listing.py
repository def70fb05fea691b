"""Lists of videos, newest first.

One filter is answered by a range of an index in the order of ids (the pair of metadata, else a tag, else the status,
else all); what the others say is checked on its candidates: see `db.scan`. Words are looked for in the index of search,
and all filters are checked on what it finds.
"""

from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from stowboard.core.cursor import Position
from stowboard.core.metadata import Pair
from stowboard.db.database import Tx
from stowboard.db.scan import Arguments, Listed, Range, Scan
from stowboard.media.base.asset import Visibility
from stowboard.media.videos.video import Video, VideoStatus
from stowboard.media.videos.video_store import COLUMNS
from stowboard.search.asked import Asked, Type
from stowboard.search.document import VIDEOS
from stowboard.search.filling import require_filled
from stowboard.search.pages import find_newest, one_of
from stowboard.search.store import Wanted


class VideoFilters(msgspec.Struct, frozen=True):
    status: VideoStatus | None = None
    #: All of them.
    tags: tuple[str, ...] = ()
    visibility: Visibility | None = None
    #: A name and its value.
    metadata: Pair | None = None
    asked: Asked | None = None


async def list_videos(tx: Tx, filters: VideoFilters, after: Position | None, size: int) -> Listed[Video]:
    """Raises SearchNotReady."""
    if filters.asked is not None:
        return await _find_videos(tx, filters, filters.asked, after, size)
    arguments = Arguments()
    source, rest = _narrowed(arguments, filters)
    scan = Scan(
        columns=COLUMNS.fields,
        read=COLUMNS.read_all,
        ranges=(source,),
        table="video",
        conditions=tuple(_conditions(arguments, rest)),
    )
    return await scan.page(tx, arguments, after, size)


async def find_passing(tx: Tx, filters: VideoFilters, ids: Sequence[str]) -> dict[str, Video]:
    """Those of these videos for which all filters but the words hold, by their ids."""
    arguments = Arguments()
    told = [one_of(tx, arguments, "t.id", ids), *_conditions(arguments, filters)]
    rows = await tx.all(f"SELECT {COLUMNS.names} FROM video AS t WHERE {' AND '.join(told)}", *arguments.values)
    return {video.id: video for video in COLUMNS.read_all(rows)}


async def _find_videos(tx: Tx, filters: VideoFilters, asked: Asked, after: Position | None, size: int) -> Listed[Video]:
    await require_filled(tx, [Type.VIDEO])
    if Type.VIDEO not in asked.types or asked.due:
        return Listed([], None)
    return await find_newest(tx, Wanted(asked, (VIDEOS,)), partial(find_passing, tx, filters), after, size)


def _narrowed(arguments: Arguments, filters: VideoFilters) -> tuple[Range, VideoFilters]:
    """A range, and the filters that it does not answer."""
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        pair = Range("video_metadata", (f"name = {name}", f"value = {value}"), id="video_id")
        return pair, replace(filters, metadata=None)
    if filters.tags:
        tagged = Range("video_tag", (f"tag = {arguments.add(filters.tags[0])}",), id="video_id")
        return tagged, replace(filters, tags=filters.tags[1:])
    if filters.status is not None:
        return Range("video", (f"status = {arguments.add(filters.status)}",)), replace(filters, status=None)
    return Range("video"), filters


def _conditions(arguments: Arguments, filters: VideoFilters) -> list[str]:
    """What must hold of a video `t`, beside that it has the words."""
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
    if filters.asked is not None:
        conditions += [f"t.status = {arguments.add(status)}" for status in filters.asked.statuses]
        conditions += [f"t.status <> {arguments.add(status)}" for status in filters.asked.not_statuses]
    return conditions
