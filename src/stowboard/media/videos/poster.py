"""Choose what a video shows before it plays: a moment of it, or an image that is an asset.

A job looks for a moment. If an image is chosen, the video keeps a copy of it, as wide as posters are,
so a change of the asset does not change the video.
"""

from typing import NamedTuple

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.store import BlobStore
from stowboard.core.caller import Access
from stowboard.core.errors import ValidationFailed
from stowboard.core.reach import LIBRARY, Role
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.media.assets import asset_store
from stowboard.media.base import signed_urls
from stowboard.media.base.asset import AssetKind
from stowboard.media.base.classes import TransformClasses
from stowboard.media.base.errors import UploadIncomplete
from stowboard.media.images.derivatives import Derivatives
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.videos import video_store
from stowboard.media.videos.ffmpeg.transcoding import find_poster_later
from stowboard.media.videos.video import Video, VideoStatus

_CLASS = "large"


class PosterCopy(NamedTuple):
    key: BlobKey
    sha256: str


async def copy_image(services: Services, access: Access, video_id: str, asset_id: str) -> PosterCopy:
    """Copy an image from the video's space or the Library. The caller must be allowed to get it delivered.

    Raises VideoNotFound, AssetNotFound, AssetNotReady, NamespaceNotAllowed, ContentDamaged or ValidationFailed.
    """
    db, seen = services.use(Database), Access(access.caller, Role.VIEWER)
    video = await db.read(video_store.get_usable, access, video_id)
    asset = await db.read(asset_store.get_usable, seen, asset_id)
    if asset.space not in (video.space, LIBRARY):
        raise ValidationFailed("assetId: the image is in another space than the video. Copy or transfer it first.")
    if asset.kind is not AssetKind.IMAGE:
        raise ValidationFailed("assetId: expected an asset of the kind image.")
    signed_urls.require_minting(access.caller, asset)
    blobs, key = services.use(BlobStore), new_key("poster")
    made = await services.use(Derivatives).get(asset, services.use(TransformClasses).get(_CLASS), ImageFormat.JPEG)
    return PosterCopy(key, (await blobs.put(key, blobs.read(made.key))).sha256)


async def choose_moment(tx: Tx, access: Access, video_id: str, at_ms: int) -> Video:
    """Order the picture of this moment. Until it is found, the poster stays what it is.

    Raises VideoNotFound, UploadIncomplete or ValidationFailed.
    """
    video = await video_store.lock(tx, access, video_id)
    if video.blob_key is None or video.status not in (VideoStatus.PROCESSING, VideoStatus.READY):
        raise UploadIncomplete("There are no pictures to choose from yet. Finalize the video first.")
    if video.duration_ms is not None and at_ms > video.duration_ms:
        raise ValidationFailed(f"time: the video is over after {video.duration_ms / 1000:g} seconds.")
    await find_poster_later(tx, video, at_ms)
    return video
