"""The whole library over HTTP: tags, renaming of tags, figures, and the tasks that use an asset.

Every write updates the counts, so that neither tags nor figures read the assets.
"""

from collections.abc import Iterable

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.api import tag_renames
from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.api.tag_renames import RenameTagBody, RenameTagView
from stowboard.core.caller import Access
from stowboard.core.reach import SpaceId
from stowboard.core.tags import checked_tag, renamed
from stowboard.db.database import Tx
from stowboard.jobs.tag_renaming import BATCH, JobProgress, TagRenaming
from stowboard.media.assets import asset_store, tag_store
from stowboard.media.assets.keep import keep_many
from stowboard.media.assets.remove import remove_assets
from stowboard.media.base import stat_store
from stowboard.media.base.asset import AssetKind, AssetStatus
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.base.uses import MediaUses, MediaUseView
from stowboard.media.uploads import upload_store
from stowboard.media.videos import video_store
from stowboard.media.videos.edit import edit_video
from stowboard.media.videos.remove import remove_video
from stowboard.media.videos.video import VideoStatus
from stowboard.media.videos.wire import PatchVideoBody

#: Uploads are counted one by one, so only up to this number.
MOST_UPLOADS = 10_000


async def rename_tag(tx: Tx, space: str, old: str, new: str) -> int | JobProgress:
    """The number of changed assets and videos, or the progress of the job. Raises ValidationFailed."""
    old, new = checked_tag("from", old), checked_tag("to", new)
    if old == new:
        return 0
    total = await tag_store.count_of(tx, space, old) + await video_store.count_tagged(tx, space, old)
    return await RENAMING.begin(tx, space, old, new, total)


async def _rename_some(tx: Tx, space: str, old: str, new: str) -> int | None:
    """The number of changed assets and videos; None if none has the tag."""
    video_ids = await video_store.find_tagged(tx, space, old, BATCH)
    ids = await asset_store.find_tagged(tx, space, old, BATCH - len(video_ids))
    if not video_ids and not ids:
        return None
    access = Access.of_service(space)
    videos = await video_store.find_and_lock_many(tx, access, video_ids)
    for video in videos:
        await edit_video(tx, access, video.id, PatchVideoBody(tags=renamed(video.tags, old, new)))
    assets = [asset for asset in await asset_store.find_and_lock_many(tx, access, ids) if old in asset.tags]
    await keep_many(tx, [(each, msgspec.structs.replace(each, tags=renamed(each.tags, old, new))) for each in assets])
    return len(videos) + len(assets)


RENAMING = TagRenaming("media.rename_tag", "tags", _rename_some)


async def list_asset_uses(tx: Tx, call: Call[None, PageQuery], asset_id: str) -> Answer:
    """List the tasks in reach that have an asset attached, newest first."""
    asset = await asset_store.get(tx, call.access, asset_id)
    page = Page(call, "uses", call.caller.owner, asset.id)
    listed = await call.use(MediaUses).list_uses(tx, call.access, asset.id, page.after, page.size)
    return page.answer(listed.items, listed.end)


async def delete_some_media(tx: Tx, uses: MediaUses, space: str) -> bool:
    """Delete some of the media of a space that is deleted; False if there was none."""
    access = Access.of_service(space)
    assets = await asset_store.find_some(tx, space, BATCH)
    await remove_assets(tx, access, assets, uses)
    videos = await video_store.find_some(tx, space, BATCH) if not assets else []
    for video_id in videos:
        await remove_video(tx, access, video_id, None, uses)
    return bool(assets or videos)


class MediaTagView(msgspec.Struct, frozen=True):
    """A tag and its number of assets."""

    tag: str
    count: int


class MediaFigures(msgspec.Struct, frozen=True):
    """Number and total bytes."""

    count: int
    bytes: int


class AssetStats(msgspec.Struct, frozen=True, rename="camel"):
    """Assets. Bytes that several assets share are counted for each."""

    count: int
    bytes: int
    by_kind: dict[AssetKind, MediaFigures]
    by_status: dict[AssetStatus, MediaFigures]


class VideoStats(msgspec.Struct, frozen=True, rename="camel"):
    """Videos, and the bytes of their sources."""

    count: int
    bytes: int
    by_status: dict[VideoStatus, MediaFigures]


class MadeStats(msgspec.Struct, frozen=True):
    """Files that were made of others: images of transform classes, and renditions of videos. No limit counts them."""

    classes: MediaFigures
    renditions: MediaFigures


class UploadStats(msgspec.Struct, frozen=True):
    """Open uploads, counted up to 10,000, and their bytes: as announced, or as arrived if that is more."""

    active: int
    bytes: int


class StorageUsage(msgspec.Struct, frozen=True):
    """Bytes of assets, versions, videos and open uploads, in the trash too, and their limit; null is no limit."""

    bytes: int
    limit: int | None


class StorageStats(msgspec.Struct, frozen=True):
    """Storage of the installation and of the token's owner. `free` is the space left on the disk; null for a bucket."""

    bytes: int
    limit: int | None
    free: int | None
    owner: StorageUsage
    made: MadeStats


class MediaStats(msgspec.Struct, frozen=True):
    """Figures of assets, videos, uploads and storage. `versions` and `trash` are not among the assets and videos."""

    assets: AssetStats
    videos: VideoStats
    versions: MediaFigures
    trash: MediaFigures
    uploads: UploadStats
    storage: StorageStats


class MediaTagsQuery(PageQuery, frozen=True, rename="camel"):
    """The space whose tags are listed."""

    space_id: SpaceId | UnsetType = UNSET


class MediaStatsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """The space that is counted."""

    space_id: SpaceId | UnsetType = UNSET


async def list_media_tags(tx: Tx, call: Call[None, MediaTagsQuery]) -> Answer:
    """List the tags of a space's assets, with counts, in the order of their names."""
    space = call.access.in_media(call.query.space_id or None)
    page = Page(call, "media tags", space)
    listed = await tag_store.list_counts(tx, space, page.after, page.size)
    return page.answer([MediaTagView(counted.tag, counted.count) for counted in listed.items], listed.end)


async def rename_media_tag(tx: Tx, call: Call[RenameTagBody, None]) -> RenameTagView:
    """Rename a tag of all assets and videos of a space, or merge it into one that exists.

    Up to 100 are changed at once; for more, `id` is that of a job, whose progress can be read.
    """
    return tag_renames.shown(
        await rename_tag(tx, call.access.in_media(call.body.space_id), call.body.old, call.body.new)
    )


async def get_media_tag_rename(tx: Tx, call: Call[None, None], rename_id: str) -> RenameTagView:
    """Read the progress of renaming a tag, until a week after its end."""
    return tag_renames.shown(await RENAMING.find(tx, call.access, rename_id))


async def get_media_stats(tx: Tx, call: Call[None, MediaStatsQuery]) -> MediaStats:
    """Count assets, videos and uploads of a space, and their bytes. `storage` is that of the installation."""
    space = call.access.in_media(call.query.space_id or None)
    assets = await stat_store.read(tx, space, "asset")
    videos = await stat_store.read(tx, space, "video")
    made = await stat_store.read(tx, "", "made")
    total, video_total = _sum(assets), _sum(videos)
    return MediaStats(
        AssetStats(
            total.count,
            total.bytes,
            {kind: _sum(row for row in assets if row[0] == kind) for kind in AssetKind},
            {status: _sum(row for row in assets if row[1] == status) for status in AssetStatus},
        ),
        VideoStats(
            video_total.count,
            video_total.bytes,
            {status: _sum(row for row in videos if row[1] == status) for status in VideoStatus},
        ),
        _sum(await stat_store.read(tx, space, "version")),
        _sum(await stat_store.read(tx, space, "trash")),
        UploadStats(
            await upload_store.count_active(tx, space, MOST_UPLOADS), await stat_store.uploading(tx, space=space)
        ),
        StorageStats(
            await stat_store.used(tx),
            call.use(MediaSettings).storage_limit_bytes,
            call.use(Storage).free,
            StorageUsage(await stat_store.used(tx, call.caller.owner), call.use(MediaSettings).owner_limit_bytes),
            MadeStats(*(_sum(row for row in made if row[0] == kind) for kind in ("class", "rendition"))),
        ),
    )


def _sum(rows: Iterable[tuple[str, str, int, int]]) -> MediaFigures:
    counted = list(rows)
    return MediaFigures(sum(count for _, _, count, _ in counted), sum(size for *_, size in counted))


_FIGURES = {"count": 2, "bytes": 512000}
_NONE = {"count": 0, "bytes": 0}
_EXAMPLE = {
    "assets": {
        **_FIGURES, "byKind": {"image": _FIGURES, "file": _NONE},
        "byStatus": {"pending": _NONE, "processing": _NONE, "ready": _FIGURES, "failed": _NONE},
    },
    "videos": {
        **_NONE,
        "byStatus": {
            "awaiting_upload": _NONE, "uploading": _NONE, "processing": _NONE, "ready": _NONE, "failed": _NONE,
            "expired": _NONE,
        },
    },
    "versions": _NONE,
    "trash": _NONE,
    "uploads": {"active": 0, "bytes": 0},
    "storage": {
        "bytes": 512000, "limit": None, "free": 80530636800, "owner": {"bytes": 512000, "limit": 1073741824},
        "made": {"classes": {"count": 1, "bytes": 9000}, "renditions": _NONE},
    },
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "GET", "/media/assets/{asset_id}/usage", list_asset_uses, list[MediaUseView], scope="media:read",
        also_scopes=("tasks:read",), query=PageQuery, meta=PageMeta,
        example=[{"taskId": "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz", "title": "Water the plants", "status": "todo",
                  "archived": False}],
    ),
    Endpoint(
        "GET", "/media/tags", list_media_tags, list[MediaTagView], scope="media:read", query=MediaTagsQuery,
        meta=PageMeta, example=[{"tag": "holiday", "count": 3}],
    ),
    Endpoint(
        "POST", "/media/tags/rename", rename_media_tag, RenameTagView, scope="media:write", body=RenameTagBody,
        example=tag_renames.EXAMPLE_DONE, example_body=tag_renames.EXAMPLE_BODY,
    ),
    Endpoint(
        "GET", "/media/tags/renames/{rename_id}", get_media_tag_rename, RenameTagView, scope="media:read",
        example=tag_renames.EXAMPLE,
    ),
    Endpoint(
        "GET", "/media/stats", get_media_stats, MediaStats, scope="media:read", query=MediaStatsQuery, example=_EXAMPLE,
    ),
]  # fmt: skip
