"""`GET /media/cdn`: all that a client needs to know before it starts."""

import msgspec

from stowboard.api.endpoint import Call, Endpoint
from stowboard.api.paging import PageQuery
from stowboard.core.tags import MAX_TAGS
from stowboard.db.database import Tx
from stowboard.events.changes.settings import HistorySettings
from stowboard.media.assets.bulk import MAX_IDS
from stowboard.media.base import signed_urls
from stowboard.media.base.classes import TransformClasses
from stowboard.media.base.image_types import IMAGE_TYPES, TYPE_OF_EXTENSION
from stowboard.media.base.settings import MediaSettings
from stowboard.media.delivery.link_routes import DEFAULT_SECONDS, TransformClassView
from stowboard.media.uploads.base64_text import MAX_BYTES
from stowboard.media.uploads.tus import protocol


class ListLimits(msgspec.Struct, frozen=True, rename="camel"):
    """The default and largest page, and the most ids of a request and tags of an asset."""

    page: int
    largest_page: int
    ids: int
    tags: int


class SignedUrlLimits(msgspec.Struct, frozen=True, rename="camel"):
    """Lifetimes of signed URLs."""

    default_seconds: int
    shortest_seconds: int
    longest_seconds: int


class TusView(msgspec.Struct, frozen=True, rename="camel"):
    """The supported parts of the TUS protocol."""

    version: str
    extensions: list[str]
    checksum_algorithms: list[str]


class CdnView(msgspec.Struct, frozen=True, rename="camel"):
    """Delivery, types and limits of media in this installation."""

    base_url: str
    transform_classes: list[TransformClassView]
    #: Media types and extensions of images. Anything else is a file.
    image_types: list[str]
    image_extensions: list[str]
    #: The largest file for each way to upload.
    inline_bytes: int
    presigned_bytes: int
    video_bytes: int
    #: After this many days, what is in the trash is deleted for good.
    trash_days: int
    lists: ListLimits
    signed_urls: SignedUrlLimits
    tus: TusView


async def get_cdn(_: Tx, call: Call[None, None]) -> CdnView:
    """Read what a client needs to set itself up: where files are served, what counts as an image, and every limit."""
    settings = call.use(MediaSettings)
    return CdnView(
        base_url=f"{(settings.cdn_url or call.origin).rstrip('/')}/cdn",
        transform_classes=[
            TransformClassView(each.name, each.width, each.height, each.fit)
            for each in call.use(TransformClasses).all()
        ],
        image_types=list(IMAGE_TYPES),
        image_extensions=list(TYPE_OF_EXTENSION),
        inline_bytes=MAX_BYTES,
        presigned_bytes=settings.max_upload_bytes,
        video_bytes=settings.max_video_bytes,
        trash_days=call.use(HistorySettings).trash_days,
        lists=ListLimits(PageQuery().size, PageQuery.largest, MAX_IDS, MAX_TAGS),
        signed_urls=SignedUrlLimits(DEFAULT_SECONDS, signed_urls.SHORTEST_SECONDS, signed_urls.LONGEST_SECONDS),
        tus=TusView(protocol.VERSION, protocol.EXTENSIONS.split(","), list(protocol.ALGORITHMS)),
    )


_EXAMPLE = {
    "baseUrl": "https://files.example.com/cdn",
    "transformClasses": [{"name": "thumbnail", "width": 200, "height": 200, "fit": "cover"}],
    "imageTypes": list(IMAGE_TYPES), "imageExtensions": list(TYPE_OF_EXTENSION),
    "inlineBytes": 7864320, "presignedBytes": 5368709120, "videoBytes": 53687091200, "trashDays": 30,
    "lists": {"page": 50, "largestPage": 100, "ids": 100, "tags": 50},
    "signedUrls": {"defaultSeconds": 3600, "shortestSeconds": 60, "longestSeconds": 604800},
    "tus": {"version": "1.0.0", "extensions": ["creation"], "checksumAlgorithms": ["sha256"]},
}  # fmt: skip

ENDPOINTS = [Endpoint("GET", "/media/cdn", get_cdn, CdnView, scope="media:read", example=_EXAMPLE)]
