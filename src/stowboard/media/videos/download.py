"""Which of a video's files is the one to save: an MP4 that any player takes."""

from collections.abc import Sequence
from typing import NamedTuple

from stowboard.blobs.keys import BlobKey
from stowboard.media.videos.video import SOURCE, Rendition, Video

MP4 = "video/mp4"
_LONGEST_NAME = 120


class VideoDownload(NamedTuple):
    key: BlobKey
    size: int | None
    #: As the video's `damaged` would name it.
    part: str
    sha256: str | None


def find_download(video: Video, renditions: Sequence[Rendition]) -> VideoDownload | None:
    """The file that was uploaded if it is an MP4, else the largest size that is made; None if there is neither yet."""
    if video.blob_key is not None and video.mime_type == MP4:
        return VideoDownload(video.blob_key, video.size, SOURCE, video.blob_sha256)
    made = [
        rendition
        for rendition in renditions
        if rendition.blob_key is not None and rendition.height and rendition.name not in video.damaged
    ]
    if not made:
        return None
    largest = max(made, key=lambda rendition: rendition.height)
    assert largest.blob_key is not None
    return VideoDownload(largest.blob_key, largest.size, largest.name, largest.blob_sha256)


def download_name(video: Video) -> str:
    return f"{video.title[:_LONGEST_NAME].strip()}.mp4"
