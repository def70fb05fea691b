"""What is found out about an image, and an image that was made of another: plain values, without the library."""

from dataclasses import dataclass

from stowboard.media.base.asset import Placeholder


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
    placeholder: Placeholder
    #: See `reduction`; None where it would save nothing.
    reduction: DerivedImage | None = None
