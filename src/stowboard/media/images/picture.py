"""An image after its inspection, and an image that was made of another: plain values, without the library."""

import msgspec

from stowboard.media.base.asset import ContentFacts

NOT_AN_IMAGE = (
    "The bytes are not an image that can be read here: JPEG, PNG, GIF, WebP, AVIF, HEIC, HEIF or TIFF, whole and"
    " undamaged. Anything else can be stored with POST /media/upload/file."
)


class DerivedImage(msgspec.Struct, frozen=True, tag=True):
    data: bytes
    width: int
    height: int


class Picture(ContentFacts, frozen=True, kw_only=True, tag=True):
    #: See `reduction`; None where it would save nothing.
    reduction: DerivedImage | None = None
    #: To take out the place: positions, and the bytes to write there.
    patches: tuple[tuple[int, bytes], ...] = ()
