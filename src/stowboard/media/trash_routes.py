"""The trash of media: put away, restored, and deleted for good after a time.

What is in the trash keeps its row, its bytes and its place in tasks. It is in no list, count, tag and search, and its
addresses answer 404, until it is restored.
"""

from stowboard.api.endpoint import Answer, Call, Endpoint
from stowboard.db.database import Tx
from stowboard.media.assets.wire import EXAMPLE, AssetView, etag, view
from stowboard.media.base.errors import AssetNotFound, VideoNotFound
from stowboard.media.batch_routes import move_media
from stowboard.media.videos.routes import show_one
from stowboard.media.videos.wire import EXAMPLE as VIDEO_EXAMPLE
from stowboard.media.videos.wire import VideoView


async def trash_asset(tx: Tx, call: Call[None, None], asset_id: str) -> Answer:
    """Put an asset into the trash.

    Its addresses answer 404, and it is in no list but `trashed=only`. It is deleted for good after `trash_days`; until
    then it can be restored, to the very same state.
    """
    return await _move_asset(tx, call, asset_id, to_trash=True)


async def restore_asset(tx: Tx, call: Call[None, None], asset_id: str) -> Answer:
    """Restore an asset from the trash. All its addresses work again."""
    return await _move_asset(tx, call, asset_id, to_trash=False)


async def trash_video(tx: Tx, call: Call[None, None], video_id: str) -> Answer:
    """Put a video into the trash.

    Links that play it answer 404, and it is in no list but `trashed=only`. It is deleted for good after `trash_days`.
    """
    return await _move_video(tx, call, video_id, to_trash=True)


async def restore_video(tx: Tx, call: Call[None, None], video_id: str) -> Answer:
    """Restore a video from the trash. All its links work again."""
    return await _move_video(tx, call, video_id, to_trash=False)


async def _move_asset(tx: Tx, call: Call[None, None], asset_id: str, *, to_trash: bool) -> Answer:
    for asset in (await move_media(tx, call.access, [asset_id], to_trash=to_trash)).assets:
        return Answer(view(call, asset), headers=(("etag", etag(asset)),))
    raise AssetNotFound


async def _move_video(tx: Tx, call: Call[None, None], video_id: str, *, to_trash: bool) -> Answer:
    for video in (await move_media(tx, call.access, [video_id], to_trash=to_trash)).videos:
        return await show_one(tx, call, video)
    raise VideoNotFound


_WRITE = "media:write"
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
        "POST", "/media/videos/{video_id}/trash", trash_video, VideoView, scope=_WRITE, headers=_ETAG,
        example=VIDEO_EXAMPLE | {"posterUrl": None, "trashedAt": 1794710000000},
    ),
    Endpoint(
        "POST", "/media/videos/{video_id}/restore", restore_video, VideoView, scope=_WRITE, headers=_ETAG,
        example=VIDEO_EXAMPLE,
    ),
]  # fmt: skip
