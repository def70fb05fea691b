"""Describe a PDF or audio. Only decoders import this."""

from pathlib import Path

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.documents.audio import read_audio, waveform
from stowboard.media.images.documents.description import AUDIO_TYPES, PDF, FileDescription
from stowboard.media.images.documents.pdf import first_page
from stowboard.media.images.libvips import Failure, Image
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.placeholder import placeholder_of

#: High, since transform classes made of a poster are compressed a second time.
_QUALITY = 90


def describe_file(path: Path, mime_type: str) -> FileDescription:
    """Raises InvalidMedia, with a reason for people."""
    if mime_type == PDF:
        pages, image = first_page(path)
        return FileDescription(_saved(image), placeholder_of(image), pages=pages)
    duration_ms, peaks = read_audio(path, AUDIO_TYPES[mime_type])
    image = waveform(peaks)
    return FileDescription(_saved(image), placeholder_of(image), duration_ms=duration_ms)


def _saved(image: Image) -> DerivedImage:
    try:
        return DerivedImage(image.webpsave_buffer(Q=_QUALITY, effort=2, keep="none"), image.width, image.height)
    except Failure as error:
        raise InvalidMedia from error
