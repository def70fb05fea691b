"""Actions on up to 100 assets and videos at once: tags, the trash, deletion for good.

All of them are done, or none if one refuses. Ids that nothing in reach has are not an error.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

import msgspec

from stowboard.api.endpoint import Call, Endpoint
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import InTrash, TooManyItems
from stowboard.core.tags import MAX_TAGS, checked_tags
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.media.assets import asset_store
from stowboard.media.assets.bodies import AssetIdsBody, BatchTagsBody
from stowboard.media.assets.bulk import TagAction, checked_ids, missing
from stowboard.media.assets.keep import keep_many
from stowboard.media.assets.remove import remove_assets
from stowboard.media.base.asset import Asset
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.base.uses import NO_USES, MediaUses
from stowboard.media.videos import video_store
from stowboard.media.videos.edit import keep_edit
from stowboard.media.videos.finalize import lock_with_upload
from stowboard.media.videos.remove import remove_locked
from stowboard.media.videos.video import Video

M = TypeVar("M", Asset, Video)


class LockedMedia(NamedTuple):
    """Those in reach, locked against other writers, and the ids that none of them has."""

    assets: list[Asset]
    videos: list[Video]
    missing: list[str]

    @property
    def number(self) -> int:
        return len(self.assets) + len(self.videos)


class BatchTagsView(msgspec.Struct, frozen=True):
    """How many assets and videos the action was applied to, and the ids that none has."""

    updated: int
    missing: list[str]


class BatchTrashView(msgspec.Struct, frozen=True):
    """How many assets and videos are in the trash now, and the ids that none has."""

    trashed: int
    missing: list[str]


class BatchRestoreView(msgspec.Struct, frozen=True):
    """How many assets and videos are out of the trash now, and the ids that none has."""

    restored: int
    missing: list[str]


class BatchDeletionView(msgspec.Struct, frozen=True):
    """How many assets and videos were deleted, and the ids that none has."""

    deleted: int
    missing: list[str]


async def batch_tag_assets(tx: Tx, call: Call[BatchTagsBody, None]) -> BatchTagsView:
    """Add tags to up to 100 assets and videos, or remove them.

    If one of them would have more than 50 tags, nothing is changed.
    """
    found = await tag_media(tx, call.access, call.body.action, call.body.ids, call.body.tags)
    return BatchTagsView(found.number, found.missing)


async def batch_trash_assets(tx: Tx, call: Call[AssetIdsBody, None]) -> BatchTrashView:
    """Put up to 100 assets and videos into the trash."""
    found = await move_media(tx, call.access, call.body.ids, to_trash=True)
    return BatchTrashView(found.number, found.missing)


async def batch_restore_assets(tx: Tx, call: Call[AssetIdsBody, None]) -> BatchRestoreView:
    """Restore up to 100 assets and videos from the trash."""
    found = await move_media(tx, call.access, call.body.ids, to_trash=False)
    return BatchRestoreView(found.number, found.missing)


async def batch_delete_assets(tx: Tx, call: Call[AssetIdsBody, None]) -> BatchDeletionView:
    """Delete up to 100 assets and videos for good."""
    gone = await delete_media(tx, call.access, call.body.ids, call.use(MediaUses))
    await _record(tx, call, "asset.delete", gone.assets)
    await _record(tx, call, "video.delete", gone.videos)
    return BatchDeletionView(gone.number, gone.missing)


async def tag_media(tx: Tx, access: Access, action: TagAction, ids: Sequence[str], tags: list[str]) -> LockedMedia:
    """Raises InTrash, ValidationFailed or TooManyItems, also if one of them would have too many tags."""
    found, tags = await _lock(tx, access, ids, trashed=False), checked_tags(tags)
    await keep_many(tx, [(asset, _tagged(asset, action, tags)) for asset in found.assets])
    for video in found.videos:
        await keep_edit(tx, video, _tagged(video, action, tags))
    return found


async def move_media(tx: Tx, access: Access, ids: Sequence[str], *, to_trash: bool) -> LockedMedia:
    """Put those in reach into the trash, or restore them; those that are there already stay as they are."""
    found = await _lock(tx, access, ids, trashed=True)
    assets = await keep_many(tx, [(asset, _moved(asset, to_trash)) for asset in found.assets])
    videos = [await keep_edit(tx, video, _moved(video, to_trash)) for video in found.videos]
    return LockedMedia(assets, videos, found.missing)


async def delete_media(tx: Tx, access: Access, ids: Sequence[str], uses: MediaUses = NO_USES) -> LockedMedia:
    """Delete those in reach for good, with their bytes. Raises TooManyItems."""
    wanted, videos = checked_ids(ids), []
    for subject in sorted(wanted):
        with suppress(VideoNotFound):
            videos.append(await lock_with_upload(tx, access, subject, trashed=True))
    assets = await remove_assets(tx, access, wanted, uses)
    for video, upload in videos:
        await remove_locked(tx, video, upload, uses)
    gone = [video for video, _ in videos]
    return LockedMedia(assets, gone, missing(wanted, [*assets, *gone]))


async def _lock(tx: Tx, access: Access, ids: Sequence[str], *, trashed: bool) -> LockedMedia:
    """Raises TooManyItems, and InTrash unless `trashed`."""
    wanted = checked_ids(ids)
    assets = await asset_store.find_and_lock_many(tx, access, wanted, trashed=trashed)
    videos = await video_store.find_and_lock_many(tx, access, wanted, trashed=trashed)
    return LockedMedia(assets, videos, missing(wanted, [*assets, *videos]))


async def _record(tx: Tx, call: Call[AssetIdsBody, None], act: str, gone: Sequence[Asset] | Sequence[Video]) -> None:
    for space in sorted({each.space for each in gone}):
        ids = [each.id for each in gone if each.space == space]
        await audit.record_in(tx, call.caller, space, act, "several", ids=ids)


def _tagged(media: M, action: TagAction, tags: list[str]) -> M:
    if action is TagAction.REMOVE:
        return msgspec.structs.replace(media, tags=[tag for tag in media.tags if tag not in tags])
    added = list(dict.fromkeys([*media.tags, *tags]))
    if len(added) > MAX_TAGS:
        raise TooManyItems(f"{media.id} would have {len(added)} tags; it may have at most {MAX_TAGS}.")
    return msgspec.structs.replace(media, tags=added)


def _moved(media: M, to_trash: bool) -> M:
    if (media.trashed_at is not None) is to_trash:
        return media
    return msgspec.structs.replace(media, trashed_at=clock.now_ms() if to_trash else None)


_WRITE = "media:write"
_ID, _OTHER = "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "vid_01kbr2x4q8e9w6y3t7n5m1c0w0"
_IDS = {"ids": [_ID, _OTHER]}

ENDPOINTS = [
    Endpoint(
        "POST", "/media/assets/batch-tags", batch_tag_assets, BatchTagsView, scope=_WRITE, body=BatchTagsBody,
        errors=[InTrash, TooManyItems], example={"updated": 1, "missing": [_OTHER]},
        example_body={"action": "add", "ids": [_ID, _OTHER], "tags": ["holiday"]},
    ),
    Endpoint(
        "POST", "/media/assets/batch-trash", batch_trash_assets, BatchTrashView, scope=_WRITE, body=AssetIdsBody,
        errors=[TooManyItems], example={"trashed": 1, "missing": [_OTHER]}, example_body=_IDS,
    ),
    Endpoint(
        "POST", "/media/assets/batch-restore", batch_restore_assets, BatchRestoreView, scope=_WRITE, body=AssetIdsBody,
        errors=[TooManyItems], example={"restored": 1, "missing": [_OTHER]}, example_body=_IDS,
    ),
    Endpoint(
        "POST", "/media/assets/batch-delete", batch_delete_assets, BatchDeletionView, scope="media:delete",
        body=AssetIdsBody, errors=[TooManyItems], example={"deleted": 1, "missing": [_OTHER]}, example_body=_IDS,
    ),
]  # fmt: skip
