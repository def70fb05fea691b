"""Lists of videos, newest first.

A page is bounded work whatever is asked for. One filter is answered by a range of an index in the order of ids (a tag,
else the status, else all); what the others say is checked on at most `SCAN` candidates of that range. Where too few of
them pass, the page is short, and its cursor goes on behind the candidates.

Page and last candidate come from one statement, hence one snapshot, so what others write meanwhile never makes the
cursor jump over videos that were not looked at. `OFFSET 0` keeps PostgreSQL from turning the look-ups of candidates
into a join over the whole table.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from stowboard.db.database import Tx, Value
from stowboard.media.base.asset import Visibility
from stowboard.media.videos import video_store
from stowboard.media.videos.video import Video, VideoStatus

SCAN = 1000
_AFTER_ALL = "vid_" + "z" * 27


@dataclass(frozen=True, slots=True)
class VideoFilters:
    status: VideoStatus | None = None
    #: All of them.
    tags: tuple[str, ...] = ()
    visibility: Visibility | None = None


@dataclass(frozen=True, slots=True)
class ListedVideos:
    """Videos, and the id behind which the next page begins, None at the end."""

    videos: list[Video]
    next_before: str | None


async def list_videos(tx: Tx, filters: VideoFilters, before: str | None, size: int) -> ListedVideos:
    query = _Query(before or _AFTER_ALL)
    source = _source(query, filters)
    conditions = _conditions(query, filters)
    if conditions:
        ids, last_candidate = await _passing(tx, query, source, conditions, size + 1)
    else:
        ids, last_candidate = [row[0] for row in await tx.all(source(size + 1), *query.values)], None
    next_before = ids[size - 1] if len(ids) > size else last_candidate
    return ListedVideos(await _read(tx, ids[:size]), next_before)


class _Query:
    """The parameters of one statement, numbered as they are added. The first is the cursor."""

    def __init__(self, before: str) -> None:
        self.values: list[Value] = [before]

    def add(self, value: Value) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


class _Source:
    """The range of an index that candidates come from."""

    def __init__(self, table: str, column: str, condition: str = "") -> None:
        self._table, self._column, self._condition = table, column, condition

    def __call__(self, limit: int, skip: int = 0) -> str:
        return (
            f"SELECT {self._column} AS id FROM {self._table} WHERE {self._column} < $1{self._condition}"
            f" ORDER BY {self._column} DESC LIMIT {limit} OFFSET {skip}"
        )


def _source(query: _Query, filters: VideoFilters) -> _Source:
    if filters.tags:
        return _Source("video_tag", "video_id", f" AND tag = {query.add(filters.tags[0])}")
    if filters.status is not None:
        return _Source("video", "id", f" AND status = {query.add(filters.status)}")
    return _Source("video", "id")


def _conditions(query: _Query, filters: VideoFilters) -> list[str]:
    """What the source does not say already."""
    conditions = [
        f"EXISTS (SELECT 1 FROM video_tag AS g WHERE g.tag = {query.add(tag)} AND g.video_id = v.id LIMIT 1 OFFSET 0)"
        for tag in filters.tags[1:]
    ]
    if filters.status is not None and filters.tags:
        conditions.append(f"v.status = {query.add(filters.status)}")
    if filters.visibility is not None:
        conditions.append(f"v.visibility = {query.add(filters.visibility)}")
    return conditions


async def _passing(
    tx: Tx, query: _Query, source: _Source, conditions: list[str], limit: int
) -> tuple[list[str], str | None]:
    """The first candidates for which all conditions hold, and the last candidate if there may be more behind it."""
    passing = (
        f"SELECT c.id FROM ({source(SCAN)}) AS c WHERE EXISTS (SELECT 1 FROM video AS v WHERE v.id = c.id"
        f" AND {' AND '.join(conditions)} LIMIT 1 OFFSET 0) ORDER BY c.id DESC LIMIT {limit}"
    )
    rows = await tx.all(
        f"SELECT id, 1 FROM ({passing}) AS p UNION ALL SELECT id, 0 FROM ({source(1, skip=SCAN - 1)}) AS e",
        *query.values,
    )
    last_candidate = next((video_id for video_id, passes in rows if not passes), None)
    return sorted((video_id for video_id, passes in rows if passes), reverse=True), last_candidate


async def _read(tx: Tx, ids: Sequence[str]) -> list[Video]:
    """Those that are still there."""
    if not ids:
        return []
    columns, numbers = video_store.COLUMNS, ", ".join(f"${number + 1}" for number in range(len(ids)))
    rows = await tx.all(f"SELECT {columns.names} FROM video WHERE id IN ({numbers}) ORDER BY id DESC", *ids)
    return [columns.read(row) for row in rows]
