"""Search over everything: tasks, assets and videos together, each as its own operation shows it."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.core.errors import InsufficientScope, InvalidParameter, TooManyItems
from stowboard.core.reach import SpaceOrAll
from stowboard.db.database import Tx
from stowboard.jobs.registry import AnyKind
from stowboard.media.assets import asset_store
from stowboard.media.assets import listing as assets
from stowboard.media.assets.asset_store import document_of as document_of_asset
from stowboard.media.assets.wire import EXAMPLE as EXAMPLE_ASSET
from stowboard.media.assets.wire import AssetView
from stowboard.media.assets.wire import view as view_asset
from stowboard.media.videos import listing as videos
from stowboard.media.videos import video_store
from stowboard.media.videos.progress import progress_of
from stowboard.media.videos.video_store import document_of as document_of_video
from stowboard.media.videos.wire import VideoView
from stowboard.media.videos.wire import show as show_video
from stowboard.search.asked import ParsedQuery, Query, SearchType, read_query
from stowboard.search.document import assets_of, tasks_of, videos_of
from stowboard.search.filling import FillBatch, SearchNotReady, batch_of, filling_job, require_filled
from stowboard.search.index import MERGE
from stowboard.search.pages import find_most_relevant, find_newest
from stowboard.search.store import ScopedQuery
from stowboard.tasks import find as tasks
from stowboard.tasks.base import task_store
from stowboard.tasks.base.document import TaskView
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.base.privacy import sees_envelopes
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.index.findable import comments_of
from stowboard.tasks.index.findable import document_of as document_of_task
from stowboard.tasks.index.listing import TaskFilters, shown_alone

SCOPES = {SearchType.TASK: "tasks:read", SearchType.ASSET: "media:read", SearchType.VIDEO: "media:read"}


class SearchSort(StrEnum):
    NEWEST = "-createdAt"
    RELEVANCE = "relevance"


class SearchQuery(PageQuery, frozen=True, kw_only=True):
    """The query, and the types to look among."""

    q: Query
    types: (
        Annotated[
            str,
            Meta(
                description="Comma-separated: task, asset, video. By default all that the token may read.",
                extra_json_schema={"pattern": r"^(task|asset|video)(,(task|asset|video))*$"},
            ),
        ]
        | UnsetType
    ) = UNSET
    sort: Annotated[SearchSort, Meta(description="By relevance, the newest 1,000 that match.")] = SearchSort.NEWEST
    space_id: (
        Annotated[
            SpaceOrAll,
            Meta(description="By default tasks are looked for in the token's own space, media in the Library."),
        ]
        | UnsetType
    ) = msgspec.field(default=UNSET, name="spaceId")


class HitView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A found thing: its type, and under that name the thing itself."""

    type: SearchType
    task: TaskView | UnsetType = UNSET
    asset: AssetView | UnsetType = UNSET
    video: VideoView | UnsetType = UNSET


async def search(tx: Tx, call: Call[None, SearchQuery]) -> Answer:
    """Look for words in tasks, assets and videos.

    Search looks in titles, bodies that the server can read, tags, filenames and descriptions. All words have to be
    there; the last one may be the beginning of a longer word. Archived tasks are left out. A page may be shorter than
    its limit, even empty, although more follow: add a word, or follow `meta.nextCursor` while `meta.hasMore` is true.
    """
    query, space_id = call.query, call.query.space_id or None
    asked = read_query(query.q)
    types = _types(call, asked)
    page = Page(call, "search", call.caller.owner, space_id, asked, types, query.sort)
    if not types:
        return page.answer([], None)
    owners, spaces = call.access.over_tasks(space_id), call.access.over_media(space_id)
    if SearchType.TASK in types:
        await require_active(tx, *owners)
    await require_filled(tx, types)
    scopes = {
        SearchType.TASK: [tasks_of(owner, False) for owner in owners],
        SearchType.ASSET: [assets_of(space) for space in spaces],
        SearchType.VIDEO: [videos_of(space) for space in spaces],
    }
    find = find_most_relevant if query.sort is SearchSort.RELEVANCE else find_newest
    wanted = ScopedQuery(asked, tuple(scope for type_ in types for scope in scopes[type_]))
    listed = await find(tx, wanted, _Found(tx, call, asked, owners, spaces).look_up, page.after, page.size)
    return page.answer(listed.items, listed.end)


def _types(call: Call[None, SearchQuery], asked: ParsedQuery) -> tuple[SearchType, ...]:
    """The types to look among. Raises InvalidParameter, or InsufficientScope for a named one that may not be read."""
    named = _named(call.query.types)
    wanted = tuple(type_ for type_ in named or SearchType if type_ in asked.types)
    allowed = tuple(type_ for type_ in wanted if SCOPES[type_] in call.caller.scopes)
    if wanted and (not allowed or (named and allowed != wanted)):
        lacking = next(SCOPES[type_] for type_ in wanted if type_ not in allowed)
        raise InsufficientScope(f"The token lacks the scope {lacking}, which looking among these types needs.")
    return tuple(type_ for type_ in allowed if type_ is SearchType.TASK or not asked.due)


def _named(text: str | UnsetType) -> list[SearchType]:
    names = [name.strip() for name in text.split(",")] if text is not UNSET else []
    if unknown := [name for name in names if name not in list(SearchType)]:
        raise InvalidParameter(f"types: there is no {unknown[0]!r}; expected some of {', '.join(SearchType)}.")
    return [type_ for type_ in SearchType if type_ in names]


class _Found(NamedTuple):
    """The things behind ids, as far as they fulfil the whole query."""

    tx: Tx
    call: Call[None, SearchQuery]
    asked: ParsedQuery
    #: The owners of tasks, and the spaces of media, to look in.
    owners: Sequence[str]
    spaces: tuple[str, ...]

    async def look_up(self, ids: Sequence[str]) -> dict[str, HitView]:
        found: dict[str, HitView] = {}
        for prefix, look_up in (("tsk_", self._tasks), ("ast_", self._assets), ("vid_", self._videos)):
            if some := [subject for subject in ids if subject.startswith(prefix)]:
                found |= await look_up(some)
        return found

    async def _tasks(self, ids: list[str]) -> dict[str, HitView]:
        sealed = sees_envelopes(self.call.caller)
        rows = await tasks.find_passing(self.tx, self.owners, TaskFilters(asked=self.asked, sealed=sealed), ids)
        return {
            task_id: HitView(SearchType.TASK, task=_raw(shown_alone(row, self.owners, sealed)))
            for task_id, row in rows.items()
        }

    async def _assets(self, ids: list[str]) -> dict[str, HitView]:
        found = await assets.find_passing(self.tx, assets.AssetFilters(asked=self.asked, spaces=self.spaces), ids)
        return {asset.id: HitView(SearchType.ASSET, asset=view_asset(self.call, asset)) for asset in found.values()}

    async def _videos(self, ids: list[str]) -> dict[str, HitView]:
        found = await videos.find_passing(self.tx, videos.VideoFilters(asked=self.asked, spaces=self.spaces), ids)
        progress = await progress_of(self.tx, list(found.values()))
        return {
            video.id: HitView(SearchType.VIDEO, video=show_video(self.call, video, progress[video.id]))
            for video in found.values()
        }


def _raw(document: bytes) -> Any:
    """The thing as JSON, which was rendered when it was written."""
    return msgspec.Raw(document)


async def _task_batch(tx: Tx, after: str, limit: int) -> FillBatch:
    found = await task_store.find_and_lock_after(tx, after, limit)
    comments = await comments_of(tx, found)
    documents = (document_of_task(task, comments.get(task.id, ())) for task in found)
    return batch_of([task.id for task in found], documents, limit)


async def _asset_batch(tx: Tx, after: str, limit: int) -> FillBatch:
    found = await asset_store.find_and_lock_after(tx, after, limit)
    return batch_of([asset.id for asset in found], map(document_of_asset, found), limit)


async def _video_batch(tx: Tx, after: str, limit: int) -> FillBatch:
    found = await video_store.find_and_lock_after(tx, after, limit)
    return batch_of([video.id for video in found], map(document_of_video, found), limit)


FILLED_BY = {SearchType.TASK: _task_batch, SearchType.ASSET: _asset_batch, SearchType.VIDEO: _video_batch}
JOBS: list[AnyKind] = [MERGE]
PERIODICS = [filling_job(FILLED_BY)]
ENDPOINTS = [
    Endpoint(
        "GET", "/search", search, list[HitView], query=SearchQuery, meta=PageMeta,
        errors=[InsufficientScope, TaskIndexNotActivated, SearchNotReady, TooManyItems],
        example=[{"type": "asset", "asset": EXAMPLE_ASSET}],
    ),
]  # fmt: skip
