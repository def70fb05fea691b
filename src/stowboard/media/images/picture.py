"""What is found out about an image, and an image that was made of another: plain values, without the library."""

from dataclasses import dataclass, field

from stowboard.media.base.asset import Location, Placeholder

NOT_AN_IMAGE = (
    "The bytes are not an image that can be read here: JPEG, PNG, GIF, WebP, AVIF, HEIC, HEIF or TIFF, whole and"
    " undamaged. Anything else can be stored with POST /media/upload/file."
)


@dataclass(frozen=True, slots=True)
class DerivedImage:
    data: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Picture:
    mime_type: str
    #: Upright, as the orientation that a camera wrote says.
    width: int
    height: int
    #: None of a large JPEG, which a job describes: see `inspection`.
    placeholder: Placeholder | None
    #: See `reduction`; None where it would save nothing.
    reduction: DerivedImage | None = None
    #: What the camera wrote into it.
    taken_at: int | None = None
    camera: str | None = None
    location: Location | None = None
    #: Of an animation, how many pictures it has.
    frames: int | None = None
    #: If it was asked for: what to write where in the file, so that it does not say where it was taken.
    patches: list[tuple[int, bytes]] = field(default_factory=list)
