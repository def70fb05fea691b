"""An asset, and what may be said of one.

Its bytes are a content, shared with every other asset that has the same ones (content_store.py). New bytes wait in
`incoming` until they are processed; then they become the asset's in one transaction, and the version rises.
"""

from enum import StrEnum
from typing import Annotated, Any, NewType

import msgspec
from msgspec import Meta

from stowboard.blobs.keys import BlobKey
from stowboard.core import clock
from stowboard.core.ids import time_of

AssetId = NewType("AssetId", str)
MAX_ALT = 2000
MAX_TITLE = 500
#: Of an animation that stays one in classes: its pictures, and their pixels together, as many as an image may have.
MOST_FRAMES, MOST_MOVING_PIXELS = 300, 50_000_000


class AssetKind(StrEnum):
    IMAGE = "image"
    FILE = "file"


class AssetStatus(StrEnum):
    """`processingStatus`."""

    #: A pre-signed upload whose bytes have not arrived.
    PENDING = "pending"
    PROCESSING = "processing"
    READY = "ready"
    FAILED = "failed"


class MediaVisibility(StrEnum):
    PUBLIC = "public"
    PROTECTED = "protected"


class FocalPoint(msgspec.Struct, frozen=True):
    """What must stay in the picture when it is cropped, as parts of its width and height."""

    x: Annotated[float, Meta(ge=0, le=1)]
    y: Annotated[float, Meta(ge=0, le=1)]


class Placeholder(msgspec.Struct, frozen=True, rename="camel"):
    """What to show before the image is there. `thumbhash` is base64."""

    thumbhash: str
    dominant_color: str


class Location(msgspec.Struct, frozen=True):
    """Where a picture was taken, in degrees: north and east are positive."""

    latitude: float
    longitude: float


class PosterSize(msgspec.Struct, frozen=True):
    """How large the picture is that stands for a file that is no image."""

    width: int
    height: int


class IncomingBytes(msgspec.Struct, frozen=True, rename="camel"):
    """Bytes in the store, under a key of their own, that wait to become an asset's."""

    key: BlobKey
    size: int
    #: What the client called them, and said that they are.
    name: str
    mime_type: str | None
    #: Where it is known already, because the bytes came in one piece.
    sha256: str | None = None
    #: What the client announced.
    expected_sha256: str | None = None
    #: Whether the place is to be taken out before they are the asset's.
    strip_location: bool = False


class ContentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts that were found in the bytes of an asset: they change with the bytes, and only with them."""

    mime_type: str
    #: Of an image, upright as the orientation that a camera wrote says.
    width: int | None = None
    height: int | None = None
    #: Of a large JPEG, a PDF and audio None until a job has described them.
    placeholder: Placeholder | None = None
    #: Written by the camera.
    taken_at: int | None = None
    camera: str | None = None
    location: Location | None = None
    #: The number of pictures of an animation.
    frames: int | None = None
    #: Of a PDF.
    pages: int | None = None
    #: Of audio.
    duration_ms: int | None = None
    #: The beginning of a text.
    preview: str | None = None
    #: Of a file that is not an image and has a picture all the same.
    poster: PosterSize | None = None


def facts_in(found: ContentFacts) -> dict[str, Any]:
    """The facts alone, by their names, of a struct that has more members."""
    return {name: getattr(found, name) for name in ContentFacts.__struct_fields__}


class Asset(ContentFacts, frozen=True, kw_only=True):
    """Every column of an asset, in the order of `asset_store.COLUMNS`."""

    id: AssetId
    kind: AssetKind
    filename: str
    original_name: str | None = None
    tags: list[str] = []
    alt: str | None = None
    title: str | None = None
    focal_point: FocalPoint | None = None
    visibility: MediaVisibility = MediaVisibility.PUBLIC
    #: Who may mint signed URLs: None any token that reads, a list those of these namespaces, an empty one admins alone.
    allowed_namespaces: list[str] | None = None
    status: AssetStatus
    error_code: str | None = None
    error_message: str | None = None
    #: The bytes that are served; None before the first were processed.
    sha256: str | None = None
    blob_key: BlobKey | None = None
    size: int
    incoming: IncomingBytes | None = None
    version: int = 1
    #: How often the focal point was changed: crops of before have another address.
    focus: int = 0
    #: In every signature; raised to end the signed URLs that are out.
    epoch: int = 0
    created_by: str
    #: Of a new one, `created_at`: ask for `time_of` its id, not for the time again.
    updated_at: int
    replaced_at: int | None = None
    #: Since when it is known that the bytes in the store are not those that were uploaded. They are not served.
    damaged_at: int | None = None
    metadata: dict[str, str] = {}

    @property
    def created_at(self) -> int:
        """The time in its id, so that lists by creation are in the order of ids and go through any index of them."""
        return time_of(self.id)

    @property
    def has_picture(self) -> bool:
        """Whether there are classes of it."""
        return self.kind is AssetKind.IMAGE or self.poster is not None

    @property
    def picture_size(self) -> tuple[int, int] | None:
        """Of what classes are made of, upright."""
        if self.poster is not None:
            return self.poster.width, self.poster.height
        return (self.width, self.height) if self.width is not None and self.height is not None else None

    @property
    def moves(self) -> bool:
        """Whether classes of it are animations too. Above the limits they are of its first picture."""
        frames, pixels = self.frames or 1, (self.width or 0) * (self.height or 0)
        return 1 < frames <= MOST_FRAMES and frames * pixels <= MOST_MOVING_PIXELS

    def next_stamp(self) -> int:
        """When a change that is made now happens: later than the last one, also within a millisecond.

        The time of the last change tells two states apart in If-Match.
        """
        return max(clock.now_ms(), self.updated_at + 1)
