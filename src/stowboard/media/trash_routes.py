"""The trash of media: put away, restored, and deleted for good after a time.

What is in the trash keeps its row, its bytes and its place in tasks. It is in no list, count, tag and search, and its
addresses answer 404, until it is restored.
"""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from stowboard.api.endpoint import Answer, Call, Endpoint
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import TooManyItems
from stowboard.db.database import Tx
from stowboard.media.assets import asset_store, bulk
from stowboard.media.assets.bodies import AssetIdsBody
from stowboard.media.assets.keep import keep_many
from stowboard.media.assets.wire import EXAMPLE, AssetView, etag, view
from stowboard.media.base.asset import Asset
from stowboard.media.base.errors import AssetNotFound
from stowboard.media.videos import video_store
from stowboard.media.videos.edit import keep_edit
from stowboard.media.videos.routes import show_one
from stowboard.media.videos.video import Video
from stowboard.media.videos.wire import EXAMPLE as VIDEO_EXAMPLE
from stowboard.media.videos.wire import VideoView

M = TypeVar("M", Asset, Video)


async def move_assets(tx: Tx, access: Access, ids: Sequence[str], *, to_trash: bool) -> list[Asset]:
    """Put the assets in reach into the trash, or restore them; those that are there already stay as they are."""
    assets = await asset_store.find_and_lock_many(tx, access, ids, trashed=True)
    return await keep_many(tx, [(asset, _moved(asset, to_trash)) for asset in assets])


async def move_video(tx: Tx, access: Access, video_id: str, *, to_trash: bool) -> Video:
    """Put the video into the trash, or restore it. Raises VideoNotFound."""
    video = await video_store.lock(tx, access, video_id, trashed=True)
    return await keep_edit(tx, video, _moved(video, to_trash))


def _moved(media: M, to_trash: bool) -> M:
    if (media.trashed_at is not None) is to_trash:
        return media
    return msgspec.structs.replace(media, trashed_at=clock.now_ms() if to_trash else None)


class BatchTrashView(msgspec.Struct, frozen=True):
    """How many assets are in the trash now, and the ids that no asset has."""

    trashed: int
    missing: list[str]


class BatchRestoreView(msgspec.Struct, frozen=True):
    """How many assets are out of the trash now, and the ids that no asset has."""

    restored: int
    missing: list[str]


async def trash_asset(tx: Tx, call: Call[None, None], asset_id: str) -> Answer:
    """Put an asset into the trash.

    Its addresses answer 404, and it is in no list but `trashed=only`. It is deleted for good after `trash_days`; until
    then it can be restored, to the very same state.
    """
    return await _move_asset(tx, call, asset_id, to_trash=True)


async def restore_asset(tx: Tx, call: Call[None, None], asset_id: str) -> Answer:
    """Restore an asset from the trash. All its addresses work again."""
    return await _move_asset(tx, call, asset_id, to_trash=False)


async def batch_trash_assets(tx: Tx, call: Call[AssetIdsBody, None]) -> BatchTrashView:
    """Put up to 100 assets into the trash."""
    return BatchTrashView(*await _move_many(tx, call, to_trash=True))


async def batch_restore_assets(tx: Tx, call: Call[AssetIdsBody, None]) -> BatchRestoreView:
    """Restore up to 100 assets from the trash."""
    return BatchRestoreView(*await _move_many(tx, call, to_trash=False))


async def trash_video(tx: Tx, call: Call[None, None], video_id: str) -> Answer:
    """Put a video into the trash.

    Links that play it answer 404, and it is in no list but `trashed=only`. It is deleted for good after `trash_days`.
    """
    return await show_one(tx, call, await move_video(tx, call.access, video_id, to_trash=True))


async def restore_video(tx: Tx, call: Call[None, None], video_id: str) -> Answer:
    """Restore a video from the trash. All its links work again."""
    return await show_one(tx, call, await move_video(tx, call.access, video_id, to_trash=False))


async def _move_asset(tx: Tx, call: Call[None, None], asset_id: str, *, to_trash: bool) -> Answer:
    for asset in await move_assets(tx, call.access, [asset_id], to_trash=to_trash):
        return Answer(view(call, asset), headers=(("etag", etag(asset)),))
    raise AssetNotFound


async def _move_many(tx: Tx, call: Call[AssetIdsBody, None], *, to_trash: bool) -> tuple[int, list[str]]:
    wanted = bulk.checked_ids(call.body.ids)
    moved = await move_assets(tx, call.access, wanted, to_trash=to_trash)
    return len(moved), bulk.missing(wanted, moved)


_WRITE = "media:write"
_ID, _OTHER = "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "ast_01kbr2x4q8e9w6y3t7n5m1c0w0"
_ETAG = {"ETag": "The state of the asset or video, for If-Match."}
_IN_TRASH = {"url": None, "thumbnailUrl": None, "trashedAt": 1794710000000}

ENDPOINTS = [
    Endpoint(
        "POST", "/media/assets/{asset_id}/trash", trash_asset, AssetView, scope=_WRITE, headers=_ETAG,
        example=EXAMPLE | _IN_TRASH,
    ),
    Endpoint(
        "POST", "/media/assets/{asset_id}/restore", restore_asset, AssetView, scope=_WRITE, headers=_ETAG,
        example=EXAMPLE,
    ),
    Endpoint(
        "POST", "/media/assets/batch-trash", batch_trash_assets, BatchTrashView, scope=_WRITE, body=AssetIdsBody,
        errors=[TooManyItems], example={"trashed": 1, "missing": [_OTHER]}, example_body={"ids": [_ID, _OTHER]},
    ),
    Endpoint(
        "POST", "/media/assets/batch-restore", batch_restore_assets, BatchRestoreView, scope=_WRITE, body=AssetIdsBody,
        errors=[TooManyItems], example={"restored": 1, "missing": [_OTHER]}, example_body={"ids": [_ID, _OTHER]},
    ),
    Endpoint(
        "POST", "/media/videos/{video_id}/trash", trash_video, VideoView, scope=_WRITE, headers=_ETAG,
        example=VIDEO_EXAMPLE | {"posterUrl": None, "trashedAt": 1794710000000},
    ),
    Endpoint(
        "POST", "/media/videos/{video_id}/restore", restore_video, VideoView, scope=_WRITE, headers=_ETAG,
        example=VIDEO_EXAMPLE,
    ),
]  # fmt: skip
