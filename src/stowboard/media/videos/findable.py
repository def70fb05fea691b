"""Videos as documents of the search."""

from stowboard.media.videos.video import Video
from stowboard.search.document import VIDEOS, SearchDocument, describe


def document_of(video: Video | None) -> SearchDocument | None:
    return describe(video.id, VIDEOS, video.title, (), video.tags) if video is not None else None
