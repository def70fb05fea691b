"""An asset: its row, and the values in it.

Its bytes are a content, shared with every other asset that has the same bytes (content_store.py). New bytes wait in
`incoming` until they are processed; then they become the asset's in one transaction, and the version rises.
"""

from enum import StrEnum
from typing import Annotated, Any, NewType

import msgspec
from msgspec import Meta

from stowboard.blobs.keys import BlobKey
from stowboard.core import clock
from stowboard.core.caller import Author
from stowboard.core.ids import time_of
from stowboard.core.reach import LIBRARY

AssetId = NewType("AssetId", str)
MAX_ALT = 2000
MAX_TITLE = 500
#: With more pictures, or more pixels in all of them together, an animation does not move in transform classes.
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


def default_visibility(space: str) -> MediaVisibility:
    """The visibility of a new asset: public in the Library, which everybody shares; protected in other spaces."""
    return MediaVisibility.PUBLIC if space == LIBRARY else MediaVisibility.PROTECTED


class FocalPoint(msgspec.Struct, frozen=True):
    """The point that stays in the picture when it is cropped, as parts of its width and height."""

    x: Annotated[float, Meta(ge=0, le=1)]
    y: Annotated[float, Meta(ge=0, le=1)]


class Placeholder(msgspec.Struct, frozen=True, rename="camel"):
    """A blur and a colour to show while the image loads. `thumbhash` is base64."""

    thumbhash: str
    dominant_color: str


class Location(msgspec.Struct, frozen=True):
    """The place where a picture was taken, in degrees: north and east are positive."""

    latitude: float
    longitude: float


class PosterSize(msgspec.Struct, frozen=True):
    """The size of the picture that stands for a PDF or audio."""

    width: int
    height: int


class IncomingBytes(msgspec.Struct, frozen=True, rename="camel"):
    """Bytes in the store, under a key of their own, that wait to be processed and become an asset's."""

    key: BlobKey
    size: int
    #: The name and the type that the client gave.
    name: str
    mime_type: str | None
    #: The owner whose quota they use.
    sent_by: str
    #: Known already if the bytes came in one piece.
    sha256: str | None = None
    #: Announced by the client.
    expected_sha256: str | None = None
    #: Take out the place before the asset gets the bytes.
    strip_location: bool = False
    #: Of the request that sent them.
    author: Author | None = None


class ContentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts found in the bytes of an asset: they change with the bytes, and only with them."""

    mime_type: str
    #: The size of an image, turned upright by the orientation that the camera wrote.
    width: int | None = None
    height: int | None = None
    #: None for a large JPEG, a PDF and audio until a job has described them.
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
    #: Of a PDF and audio.
    poster: PosterSize | None = None


def facts_in(found: ContentFacts) -> dict[str, Any]:
    """The facts alone, by their names; `found` may have other members."""
    return {name: getattr(found, name) for name in ContentFacts.__struct_fields__}


class Asset(ContentFacts, frozen=True, kw_only=True):
    """Every column of an asset, in the order of `asset_store.COLUMNS`."""

    id: AssetId
    #: The owner whose library it is in.
    space: str
    kind: AssetKind
    filename: str
    original_name: str | None = None
    tags: list[str] = []
    alt: str | None = None
    title: str | None = None
    focal_point: FocalPoint | None = None
    visibility: MediaVisibility = MediaVisibility.PUBLIC
    #: Namespaces whose tokens may mint signed URLs. None: every token that reads; an empty list: admins alone.
    allowed_namespaces: list[str] | None = None
    status: AssetStatus
    error_code: str | None = None
    error_message: str | None = None
    #: The bytes that are served; None until the first bytes were processed.
    sha256: str | None = None
    blob_key: BlobKey | None = None
    size: int
    incoming: IncomingBytes | None = None
    version: int = 1
    #: Counts changes of the focal point, so that new crops have a new address.
    focus: int = 0
    #: Part of every signature: raising it ends all signed URLs.
    epoch: int = 0
    created_by: str
    #: The owner whose quota the bytes use.
    sent_by: str
    #: For a new asset `time_of` its id, so that it equals `created_at`.
    updated_at: int
    replaced_at: int | None = None
    #: The time when the stored bytes were found damaged. They are no longer served.
    damaged_at: int | None = None
    metadata: dict[str, str] = {}
    #: The time when it was put into the trash.
    trashed_at: int | None = None

    @property
    def created_at(self) -> int:
        """The time in its id: lists by creation go through any index of ids."""
        return time_of(self.id)

    @property
    def served_key(self) -> BlobKey | None:
        """The bytes that are served. No decoder refused those of an asset whose processing was interrupted."""
        waiting = self.incoming if self.status is AssetStatus.FAILED else None
        return waiting.key if self.blob_key is None and waiting is not None else self.blob_key

    @property
    def has_picture(self) -> bool:
        """True if transform classes can be made of it."""
        return (self.kind is AssetKind.IMAGE and self.sha256 is not None) or self.poster is not None

    @property
    def picture_size(self) -> tuple[int, int] | None:
        """Width and height, upright, of the picture that transform classes are made of."""
        if self.poster is not None:
            return self.poster.width, self.poster.height
        return (self.width, self.height) if self.width is not None and self.height is not None else None

    @property
    def moves(self) -> bool:
        """True if its transform classes move too. Above the limits they show its first picture."""
        frames, pixels = self.frames or 1, (self.width or 0) * (self.height or 0)
        return 1 < frames <= MOST_FRAMES and frames * pixels <= MOST_MOVING_PIXELS

    def next_stamp(self) -> int:
        """The time of a change that is made now: later than the last one, even within the same millisecond.

        If-Match tells two states apart by the time of the last change.
        """
        return max(clock.now_ms(), self.updated_at + 1)
