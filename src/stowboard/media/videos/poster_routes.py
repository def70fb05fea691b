"""The choice of a video's poster over HTTP."""

from stowboard.api.endpoint import Call, Endpoint
from stowboard.core.errors import InTrash, ValidationFailed
from stowboard.db.database import Tx
from stowboard.media.base.errors import AssetNotReady, ContentDamaged, NamespaceNotAllowed, UploadIncomplete
from stowboard.media.videos import poster, video_store
from stowboard.media.videos.poster import PosterCopy
from stowboard.media.videos.progress import progress_of
from stowboard.media.videos.provider import VideoProvider
from stowboard.media.videos.wire import EXAMPLE, PosterBody, VideoView, show


async def choose_video_poster(
    tx: Tx, call: Call[PosterBody, None], video_id: str, copy: PosterCopy | None
) -> VideoView:
    """Choose what a video shows before it plays.

    With `assetId` a copy of that image is the poster at once. With `time` the picture of that moment is looked for; the
    poster of before stays until it is found, and `media.video.updated` tells of it.
    """
    if copy is not None:
        video = await poster.put_poster(
            tx, await video_store.lock(tx, call.access, video_id), copy.key, copy.written.sha256
        )
    else:
        assert call.body.time is not None
        video = await poster.choose_moment(
            tx, call.access, call.use(VideoProvider), video_id, round(call.body.time * 1000)
        )
    return show(call, video, (await progress_of(tx, [video]))[video.id])


async def _copy(call: Call[PosterBody, None], video_id: str) -> PosterCopy | None:
    body = call.body
    if (body.time is None) == (body.asset_id is None):
        raise ValidationFailed("Expected either time or assetId.")
    if body.asset_id is None:
        return None
    return await poster.copy_image(call.services, call.access, video_id, body.asset_id)


ENDPOINTS = [
    Endpoint(
        "POST", "/media/videos/{video_id}/poster", choose_video_poster, VideoView, scope="media:write", body=PosterBody,
        prepare=_copy, errors=[InTrash, UploadIncomplete, AssetNotReady, NamespaceNotAllowed, ContentDamaged],
        example=EXAMPLE, example_body={"time": 12.5},
    ),
]  # fmt: skip
