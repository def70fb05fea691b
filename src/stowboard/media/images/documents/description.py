"""Description of a file, so that people see what it is: plain values, without the libraries."""

import msgspec

from stowboard.media.base.asset import Placeholder
from stowboard.media.images.picture import DerivedImage

PDF = "application/pdf"
#: Each type with its demuxer. ffmpeg must not guess: it would take a text that names other files for audio.
AUDIO_TYPES = {
    "audio/aac": "aac",
    "audio/flac": "flac",
    "audio/mp4": "mov",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/webm": "matroska",
    "audio/x-matroska": "matroska",
}
#: A larger file is not copied to a disk for a picture.
MOST_BYTES = 1 << 30


class FileDescription(msgspec.Struct, frozen=True, tag=True):
    #: Kept with the bytes: a first page or a waveform; for an image its reduction, None if it needs none.
    picture: DerivedImage | None
    placeholder: Placeholder
    #: Of a PDF.
    pages: int | None = None
    #: Of audio.
    duration_ms: int | None = None


def is_describable(mime_type: str) -> bool:
    return mime_type == PDF or mime_type in AUDIO_TYPES
