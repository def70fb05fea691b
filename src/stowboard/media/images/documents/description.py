"""A description of a file, for people to see what it is: plain values, without the libraries."""

import msgspec

from stowboard.media.base.asset import Placeholder
from stowboard.media.images.picture import DerivedImage

PDF = "application/pdf"
#: Each with the demuxer that reads it. ffmpeg never guesses: a text that names other files would be a sound to it.
SOUNDS = {
    "audio/aac": "aac",
    "audio/flac": "flac",
    "audio/mp4": "mov",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/webm": "matroska",
    "audio/x-matroska": "matroska",
}
#: More than that is not copied to a disk for the sake of a picture.
MOST_BYTES = 1 << 30


class FileDescription(msgspec.Struct, frozen=True):
    #: The picture that is kept with the bytes: a first page or a waveform; of an image its reduction, if it has one.
    picture: DerivedImage | None
    placeholder: Placeholder
    #: Of a PDF.
    pages: int | None = None
    #: Of a sound.
    duration_ms: int | None = None


def is_describable(mime_type: str) -> bool:
    return mime_type == PDF or mime_type in SOUNDS
