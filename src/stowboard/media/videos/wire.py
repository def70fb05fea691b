"""Videos as JSON: what creations and changes take, and what answers show of one."""

from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import AnyCall
from stowboard.core.clock import LARGEST_NUMBER
from stowboard.core.metadata import Metadata
from stowboard.core.plain_text import SPACES
from stowboard.core.reach import SpaceId, space_id_of
from stowboard.core.signing import Keyring
from stowboard.core.tags import Tags
from stowboard.media.assets.upload_bodies import MimeType
from stowboard.media.base.asset import MediaVisibility
from stowboard.media.base.errors import ContentDamaged
from stowboard.media.base.links import MediaLinks
from stowboard.media.base.signed_urls import LONGEST_SECONDS, SHORTEST_SECONDS
from stowboard.media.videos import playback
from stowboard.media.videos.progress import VideoProgress
from stowboard.media.videos.video import MAX_TITLE, Video, VideoStatus

DEFAULT_SECONDS = 3600
LONGEST_POSTER_S = 12 * 3600
Title = Annotated[
    str,
    Meta(
        min_length=1, max_length=MAX_TITLE, description="Trimmed; not empty.",
        extra_json_schema={"pattern": f"[^{SPACES}]"},
    ),
]  # fmt: skip


VideoBytes = Annotated[
    int,
    Meta(
        ge=1,
        extra_json_schema={"maximum": LARGEST_NUMBER},
        description="Bytes of the file, where it is known. `videoBytes` of GET /media/cdn is the most that this"
        " installation takes; more is 413.",
    ),
]
Lifetime = Annotated[int, Meta(ge=SHORTEST_SECONDS, le=LONGEST_SECONDS, description="Seconds.")]
Moment = Annotated[float, Meta(ge=0, le=LONGEST_POSTER_S, description="The picture at so many seconds into the video.")]


class CreateVideoBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new video, whose bytes are yet to come."""

    title: Title
    tags: Tags | None = []
    size: VideoBytes | None = None
    visibility: MediaVisibility | None = MediaVisibility.PROTECTED
    mime_type: MimeType | None = None
    metadata: Metadata | None = {}
    space_id: SpaceId | None = None


class PatchVideoBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Changes to a video. What is omitted keeps its value."""

    title: Title | UnsetType = UNSET
    tags: Tags | None | UnsetType = UNSET
    visibility: MediaVisibility | UnsetType = UNSET
    metadata: Metadata | None | UnsetType = UNSET


class SignedUrlBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """How long the URL works."""

    expires_in: Lifetime | None = DEFAULT_SECONDS


class PosterBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The new poster: one of the two."""

    EITHER: ClassVar = ("time", "assetId")

    time: Moment | None = None
    asset_id: Annotated[str, Meta(max_length=100, description="A copy of this image.")] | None = None


class UploadView(msgspec.Struct, frozen=True):
    """How many bytes have arrived, of how many; the length is null while nobody has said it."""

    offset: int
    length: int | None


class ProcessingView(msgspec.Struct, frozen=True):
    """How far the work is, in percent."""

    progress: int


class RenditionView(msgspec.Struct, frozen=True):
    """A size that can be played. That of the sound alone is called `audio`, and has no width and height.

    `original` has the pictures and the sound of the uploaded file.
    """

    name: str
    width: int | None
    height: int | None
    #: Bits a second, at most.
    bandwidth: int


class VideoError(msgspec.Struct, frozen=True):
    """Why the video cannot be played.

    For a `ready` video: why it lacks some renditions; or `content_damaged`, and the message says which files are
    refused.
    """

    code: str
    message: str


class VideoView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A video."""

    id: str
    provider_video_id: str
    title: str
    tags: list[str]
    status: VideoStatus
    visibility: MediaVisibility
    size: int | None
    #: Seconds.
    duration: float | None
    width: int | None
    height: int | None
    mime_type: str | None
    poster_url: str | None
    upload: UploadView
    processing: ProcessingView | None
    error: VideoError | None
    space_id: str
    created_by: str
    created_at: int
    updated_at: int
    finalized_at: int | None
    metadata: dict[str, str]
    #: More come while `processing` is there.
    renditions: list[RenditionView]
    #: Languages.
    captions: list[str]
    #: The time when it was put into the trash. Its poster has no address then.
    trashed_at: int | None
    #: Told once, in the answer of the creation.
    tus_upload_url: str | UnsetType = UNSET


class SignedUrlView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Addresses that play a video until they expire. `url` is HLS once there is one, else the uploaded file."""

    url: str
    expires_at: int
    status: VideoStatus
    provider_video_id: str
    hls_url: str | None
    mp4_url: str | None
    #: An MP4 file to save, under the video's title.
    download_url: str | None
    poster_url: str | None
    #: WebVTT that names parts of a sheet of small pictures.
    storyboard_url: str | None


def show(call: AnyCall, video: Video, progress: VideoProgress, upload_token: str | None = None) -> VideoView:
    return VideoView(
        id=video.id,
        provider_video_id=video.provider_video_id,
        title=video.title,
        tags=video.tags,
        status=video.status,
        visibility=video.visibility,
        size=video.size,
        duration=video.duration_ms / 1000 if video.duration_ms is not None else None,
        width=video.width,
        height=video.height,
        mime_type=video.mime_type,
        poster_url=_poster_url(call, video),
        upload=UploadView(progress.offset, progress.length),
        processing=ProcessingView(progress.percent) if progress.percent is not None else None,
        renditions=[
            RenditionView(each.name, each.width or None, each.height or None, each.bandwidth)
            for each in progress.renditions
        ],
        captions=list(progress.captions),
        error=_error(video),
        space_id=space_id_of(video.space),
        created_by=video.created_by,
        created_at=video.created_at,
        updated_at=video.updated_at,
        finalized_at=video.finalized_at,
        metadata=video.metadata,
        trashed_at=video.trashed_at,
        tus_upload_url=call.use(MediaLinks).tus(call.origin, upload_token) if upload_token is not None else UNSET,
    )


def etag(video: Video) -> str:
    """Tells two states of a video apart; every change of one also moves `updatedAt`."""
    return f'"{video.updated_at}"'


def _poster_url(call: AnyCall, video: Video) -> str | None:
    """It opens the poster alone, so a page that shows the poster gives nothing else away."""
    if video.poster_key is None or video.trashed_at is not None:
        return None
    epoch, through = call.caller.reach.epoch_of(video.space), call.caller.through
    token = playback.poster_token(call.use(Keyring), video, epoch, through)
    return call.use(MediaLinks).playback(call.origin, token, video.provider_video_id, playback.POSTER)


def _error(video: Video) -> VideoError | None:
    if video.error_code is not None:
        return VideoError(video.error_code, video.error_message or "")
    if video.damaged:
        message = f"Of its files, {', '.join(video.damaged)} were damaged in the store and are refused."
        return VideoError(ContentDamaged.code, message)
    return None


EXAMPLE = {
    "id": "vid_01kbr2x4q8e9w6y3t7n5m1c0vz", "providerVideoId": "7f3c0f5e6a2b4d18b7a1c9e2d4f60835",
    "title": "Harbour at dawn", "tags": ["holiday"], "status": "ready", "visibility": "protected", "size": 48213377,
    "duration": 62.48, "width": 1920, "height": 1080, "mimeType": "video/mp4",
    "posterUrl": "https://files.example.com/stream/1794704400.k0.x1Yk…/7f3c0f5e6a2b4d18b7a1c9e2d4f60835/poster.jpg",
    "upload": {"offset": 48213377, "length": 48213377}, "processing": None, "error": None,
    "spaceId": "spc_library", "createdBy": "alice",
    "createdAt": 1794700000000, "updatedAt": 1794700090000, "finalizedAt": 1794700030000,
    "metadata": {"order": "4711"},
    "renditions": [
        {"name": "audio", "width": None, "height": None, "bandwidth": 137200},
        {"name": "240p", "width": 426, "height": 240, "bandwidth": 684000},
        {"name": "1080p", "width": 1920, "height": 1080, "bandwidth": 5128000},
    ],
    "captions": ["en"], "trashedAt": None,
}  # fmt: skip
EXAMPLE_CREATED = EXAMPLE | {
    "status": "awaiting_upload", "size": None, "duration": None, "width": None, "height": None, "posterUrl": None,
    "renditions": [], "captions": [],
    "upload": {"offset": 0, "length": 48213377}, "updatedAt": 1794700000000, "finalizedAt": None,
    "tusUploadUrl": "https://files.example.com/uploads/tus/Zb7q…",
}  # fmt: skip
EXAMPLE_SIGNED = {
    "url": "https://files.example.com/stream/1794704400.k0.Pq8d…/7f3c0f5e6a2b4d18b7a1c9e2d4f60835/master.m3u8",
    "expiresAt": 1794704400000, "status": "ready", "providerVideoId": "7f3c0f5e6a2b4d18b7a1c9e2d4f60835",
    "hlsUrl": "https://files.example.com/stream/1794704400.k0.Pq8d…/7f3c0f5e6a2b4d18b7a1c9e2d4f60835/master.m3u8",
    "mp4Url": "https://files.example.com/stream/1794704400.k0.Pq8d…/7f3c0f5e6a2b4d18b7a1c9e2d4f60835/video.mp4",
    "downloadUrl": "https://files.example.com/stream/1794704400.k0.Pq8d…/7f3c0f5e6a2b4d18b7a1c9e2d4f60835/download.mp4",
    "posterUrl": "https://files.example.com/stream/1794704400.k0.Pq8d…/7f3c0f5e6a2b4d18b7a1c9e2d4f60835/poster.jpg",
    "storyboardUrl":
        "https://files.example.com/stream/1794704400.k0.Pq8d…/7f3c0f5e6a2b4d18b7a1c9e2d4f60835/storyboard.vtt",
}  # fmt: skip
