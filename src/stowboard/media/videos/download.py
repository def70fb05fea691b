"""The file of a video that people save: an MP4 that any player takes."""

from collections.abc import Sequence
from typing import NamedTuple

from stowboard.blobs.keys import BlobKey
from stowboard.media.videos.video import SOURCE, Rendition, Video

MP4 = "video/mp4"


class VideoDownload(NamedTuple):
    key: BlobKey
    size: int | None
    #: Its name in the video's `damaged`.
    part: str
    sha256: str | None


def find_download(video: Video, renditions: Sequence[Rendition]) -> VideoDownload | None:
    """The file that was uploaded if it is an MP4, else the largest size that is made; None if there is neither yet."""
    if video.blob_key is not None and video.mime_type == MP4:
        return VideoDownload(video.blob_key, video.size, SOURCE, video.blob_sha256)
    for rendition in sorted(renditions, key=lambda rendition: rendition.height, reverse=True):
        if rendition.blob_key is not None and rendition.height and rendition.name not in video.damaged:
            return VideoDownload(rendition.blob_key, rendition.size, rendition.name, rendition.blob_sha256)
    return None
