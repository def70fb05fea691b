"""A video, its states, and its renditions."""

from enum import StrEnum
from typing import Any, NewType

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.core import clock
from stowboard.media.base.asset import MediaVisibility

VideoId = NewType("VideoId", str)
ProviderVideoId = NewType("ProviderVideoId", str)
MAX_TITLE = 255


class VideoStatus(StrEnum):
    AWAITING_UPLOAD = "awaiting_upload"
    UPLOADING = "uploading"
    PROCESSING = "processing"
    READY = "ready"
    FAILED = "failed"
    #: Its bytes never came, or never all of them.
    EXPIRED = "expired"


#: Names of the files of a video that are no rendition.
SOURCE, POSTER, STORYBOARD = "source", "poster", "storyboard"
#: The rendition whose pictures and sound are those of the uploaded file, until the others are made.
ORIGINAL = "original"


class Storyboard(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet of small pictures: how far apart they are, how large, how many in a row, and how many in all."""

    interval_ms: int
    width: int
    height: int
    columns: int
    count: int


class Video(msgspec.Struct, frozen=True, kw_only=True):
    """Every column of a video, in the order of `video_store.COLUMNS`."""

    id: VideoId
    #: The owner whose library it is in.
    space: str
    #: What the provider calls it; unrelated to `id`, so that a link to play it does not give the id away.
    provider_video_id: ProviderVideoId
    title: str
    tags: list[str] = []
    status: VideoStatus = VideoStatus.AWAITING_UPLOAD
    visibility: MediaVisibility = MediaVisibility.PROTECTED
    upload_id: str
    #: The file that was uploaded, once it was finalized.
    blob_key: BlobKey | None = None
    size: int | None = None
    mime_type: str | None = None
    duration_ms: int | None = None
    width: int | None = None
    height: int | None = None
    poster_key: BlobKey | None = None
    error_code: str | None = None
    error_message: str | None = None
    #: In every signature; raised to end the signed URLs that are out.
    epoch: int = 0
    created_by: str
    created_at: int
    updated_at: int
    finalized_at: int | None = None
    #: The digests of the uploaded file, once it was read, and of the poster.
    blob_sha256: str | None = None
    poster_sha256: str | None = None
    #: Its files that are damaged in the store and not served: `SOURCE`, `POSTER`, `STORYBOARD`, names of renditions.
    damaged: list[str] = []
    metadata: dict[str, str] = {}
    storyboard: Storyboard | None = None
    storyboard_key: BlobKey | None = None
    storyboard_sha256: str | None = None
    #: The digest of the first and last bytes of a large file (`base.ends`).
    ends_sha256: str | None = None
    #: The time when it was put into the trash.
    trashed_at: int | None = None

    def changed(self, **members: Any) -> "Video":
        """The video with these members, changed now: later than the last time, also within a millisecond.

        The time of the last change tells two states apart in If-Match.
        """
        return msgspec.structs.replace(self, **members, updated_at=max(clock.now_ms(), self.updated_at + 1))


class Rendition(msgspec.Struct, frozen=True, kw_only=True):
    """A size in which the video can be played. `playlist` and `blob_key` are None until it is made."""

    video_id: VideoId
    #: Such as `720p`, `audio` or `original`; also its name in URLs.
    name: str
    #: 0 where it has no pictures.
    width: int
    height: int
    #: Bits a second at most, as the master playlist says; the mean once it is made.
    bandwidth: int
    average_bandwidth: int | None = None
    #: Pictures a second, with three decimals. None for what was made before this was kept.
    frame_rate: str | None = None
    codecs: str
    #: Percent.
    progress: int = 0
    #: The media playlist, whose byte ranges are into `{name}.mp4`.
    playlist: str | None = None
    blob_key: BlobKey | None = None
    size: int | None = None
    blob_sha256: str | None = None
    ends_sha256: str | None = None
