"""Lists of videos, newest first.

One filter is answered by a range of an index in the order of ids (the pair of metadata, else a tag, else the status,
else all); what the others say is checked on its candidates: see `db.scan`.
"""

from dataclasses import dataclass

from stowboard.core.cursor import Position
from stowboard.core.metadata import Pair
from stowboard.db.database import Tx
from stowboard.db.scan import Arguments, Listed, Range, Scan
from stowboard.media.base.asset import Visibility
from stowboard.media.videos.video import Video, VideoStatus
from stowboard.media.videos.video_store import COLUMNS


@dataclass(frozen=True, slots=True)
class VideoFilters:
    status: VideoStatus | None = None
    #: All of them.
    tags: tuple[str, ...] = ()
    visibility: Visibility | None = None
    #: A name and its value.
    metadata: Pair | None = None


async def list_videos(tx: Tx, filters: VideoFilters, after: Position | None, size: int) -> Listed[Video]:
    arguments = Arguments()
    scan = Scan(
        columns=COLUMNS.fields,
        read=COLUMNS.read_all,
        ranges=(_range(arguments, filters),),
        table="video",
        conditions=tuple(_conditions(arguments, filters)),
    )
    return await scan.page(tx, arguments, after, size)


def _range(arguments: Arguments, filters: VideoFilters) -> Range:
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        return Range("video_metadata", (f"name = {name}", f"value = {value}"), id="video_id")
    if filters.tags:
        return Range("video_tag", (f"tag = {arguments.add(filters.tags[0])}",), id="video_id")
    if filters.status is not None:
        return Range("video", (f"status = {arguments.add(filters.status)}",))
    return Range("video")


def _conditions(arguments: Arguments, filters: VideoFilters) -> list[str]:
    """What the range does not say already."""
    conditions = [
        f"EXISTS (SELECT 1 FROM video_tag AS g WHERE g.tag = {arguments.add(tag)} AND g.video_id = t.id"
        " LIMIT 1 OFFSET 0)"
        for tag in (filters.tags if filters.metadata is not None else filters.tags[1:])
    ]
    if filters.status is not None and (filters.tags or filters.metadata is not None):
        conditions.append(f"t.status = {arguments.add(filters.status)}")
    if filters.visibility is not None:
        conditions.append(f"t.visibility = {arguments.add(filters.visibility)}")
    return conditions
