"""Videos: created, sent by a resumable upload, finalized, then processed and played.

`upload` does it all. To go on with an upload in another process, keep the created video's `tus_upload_url` and give it
to `send`, then `finalize`. `signed_url` takes the video's `provider_video_id`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET

from stowboard_client.errors import StowboardError
from stowboard_client.media.resumable import PIECE, Progress, Source, ignore_progress, opened, send_file
from stowboard_client.transport.call import Call, Deleted, Maybe, Model, at_state, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import Conversation, D, Operation, Resource
from stowboard_client.transport.session import Session
from stowboard_client.transport.steps import Pause, Steps

VideoStatus: TypeAlias = Literal["awaiting_upload", "uploading", "processing", "ready", "failed", "expired"]
VideoSort: TypeAlias = Literal["-createdAt", "createdAt", "-updatedAt", "updatedAt", "title", "-size", "size"]
VideoVisibility: TypeAlias = Literal["public", "protected"]


class VideoFailed(StowboardError):
    """The video ended as `failed` or `expired`; `video.error` says why."""

    def __init__(self, video: "Video") -> None:
        super().__init__(video)
        self.video = video

    def __str__(self) -> str:
        reason = f": {self.video.error.code}: {self.video.error.message}" if self.video.error else ""
        return f"video {self.video.id} is {self.video.status}{reason}"


class VideoUpload(Model, frozen=True, kw_only=True):
    """The bytes that have arrived, and the length, which is None while it is not known."""

    offset: int
    length: int | None


class VideoProcessing(Model, frozen=True, kw_only=True):
    """The progress in percent."""

    progress: int


class Rendition(Model, frozen=True, kw_only=True):
    """A size that can be played; `audio` has no width and height."""

    name: str
    width: int | None
    height: int | None
    #: Bits a second, at most.
    bandwidth: int


class VideoError(Model, frozen=True, kw_only=True):
    code: str
    message: str


class Video(Model, frozen=True, kw_only=True):
    """Timestamps are milliseconds since the epoch, `duration` is seconds."""

    id: str
    provider_video_id: str
    title: str
    tags: tuple[str, ...]
    status: str
    visibility: str
    size: int | None
    duration: float | None
    width: int | None
    height: int | None
    mime_type: str | None
    poster_url: str | None
    upload: VideoUpload
    processing: VideoProcessing | None
    error: VideoError | None
    created_by: str
    created_at: int
    updated_at: int
    finalized_at: int | None
    space_id: str = ""
    metadata: dict[str, str] = msgspec.field(default_factory=dict)
    #: While `processing` is not None, more renditions are added.
    renditions: tuple[Rendition, ...] = ()
    #: Languages.
    captions: tuple[str, ...] = ()
    #: The time at which it was put into the trash.
    trashed_at: int | None = None
    #: Only in the answer of `create`.
    tus_upload_url: str | None = None

    @property
    def etag(self) -> str:
        """For `if_match`."""
        return f'"{self.updated_at}"'


class SignedVideoUrl(Model, frozen=True, kw_only=True):
    """Until HLS is made, `url` is the uploaded file; then it is HLS. No link needs a token."""

    url: str
    expires_at: int
    status: str
    provider_video_id: str
    hls_url: str | None
    mp4_url: str | None
    poster_url: str | None
    #: An MP4 to save.
    download_url: str | None = None
    #: WebVTT that names parts of a sheet of small pictures.
    storyboard_url: str | None = None


class Captions(Model, frozen=True, kw_only=True):
    """The captions in one language; `cues` is the number of cues."""

    language: str
    label: str
    cues: int
    updated_at: int


def create_video(
    title: str,
    *,
    tags: Maybe[Sequence[str]] = UNSET,
    size: Maybe[int | None] = UNSET,
    visibility: Maybe[VideoVisibility] = UNSET,
    mime_type: Maybe[str | None] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[Video]:
    """A video without bytes. `tus_upload_url` of the answer takes them."""
    content = members(title=title, tags=tags, size=size, visibility=visibility, mime_type=mime_type, metadata=metadata)
    return Call("POST", "/media/videos/upload", data(Video), body=content, idempotency_key=idempotency_key, space=space)


def list_videos(
    *,
    status: VideoStatus | None = None,
    tags: str | Sequence[str] | None = None,
    visibility: VideoVisibility | None = None,
    metadata: tuple[str, str] | None = None,
    q: str | None = None,
    created_after: int | None = None,
    created_before: int | None = None,
    updated_after: int | None = None,
    sort: VideoSort | None = None,
    trashed: Literal["only"] | None = None,
    space: str | None = None,
    limit: int | None = None,
) -> Call[Page[Video]]:
    """The videos for which every given filter holds, by default newest first. A video needs all of the given `tags`.

    Without `space`, videos of the Library; "all" is every space. `trashed="only"` without another filter lists the
    trash, the latest there first.
    """
    wanted = tags if tags is None or isinstance(tags, str) else ",".join(tags)
    pair = metadata and ":".join(metadata)
    query = {
        "status": status, "tags": wanted, "visibility": visibility, "metadata": pair, "q": q,
        "createdAfter": created_after, "createdBefore": created_before, "updatedAfter": updated_after, "sort": sort,
        "trashed": trashed, "limit": limit,
    }  # fmt: skip
    return Call("GET", "/media/videos", whole(Page[Video]), query=query, space=space)


def get_video(video_id: str) -> Call[Video]:
    return Call("GET", path("/media/videos/{}", video_id), data(Video))


def update_video(
    video_id: str,
    *,
    title: Maybe[str] = UNSET,
    tags: Maybe[Sequence[str] | None] = UNSET,
    visibility: Maybe[VideoVisibility] = UNSET,
    metadata: Maybe[Mapping[str, str] | None] = UNSET,
    if_match: str | None = None,
    idempotency_key: str | None = None,
) -> Call[Video]:
    """Change the given members; with `if_match=video.etag` only if the video is still in that state.

    A change of visibility ends all signed URLs of the video.
    """
    content = members(title=title, tags=tags, visibility=visibility, metadata=metadata)
    address, headers = path("/media/videos/{}", video_id), at_state(if_match)
    return Call("PATCH", address, data(Video), body=content, headers=headers, idempotency_key=idempotency_key)


def delete_video(video_id: str, *, if_match: str | None = None, idempotency_key: str | None = None) -> Call[Deleted]:
    """Delete a video for good, with all that was made of it."""
    address, headers = path("/media/videos/{}", video_id), at_state(if_match)
    return Call("DELETE", address, data(Deleted), headers=headers, idempotency_key=idempotency_key)


def finalize_video(video_id: str, *, idempotency_key: str | None = None) -> Call[Video]:
    """Say that all bytes were sent, so that processing begins. Raises UploadIncomplete, InvalidMedia."""
    address = path("/media/videos/{}/finalize", video_id)
    return Call("POST", address, data(Video), idempotency_key=idempotency_key)


def transfer_video(video_id: str, space: str, *, idempotency_key: str | None = None) -> Call[Video]:
    """Transfer a finalized video to another space. All its links end."""
    address, body = path("/media/videos/{}/transfer", video_id), members(space_id=space)
    return Call("POST", address, data(Video), body=body, idempotency_key=idempotency_key)


def trash_video(video_id: str, *, idempotency_key: str | None = None) -> Call[Video]:
    """Put a video into the trash: all its links answer 404 until it is restored."""
    return Call("POST", path("/media/videos/{}/trash", video_id), data(Video), idempotency_key=idempotency_key)


def restore_video(video_id: str, *, idempotency_key: str | None = None) -> Call[Video]:
    """Restore a video from the trash."""
    return Call("POST", path("/media/videos/{}/restore", video_id), data(Video), idempotency_key=idempotency_key)


def sign_video_url(provider_video_id: str, *, expires_in: Maybe[int] = UNSET) -> Call[SignedVideoUrl]:
    """Addresses that play the video for `expires_in` seconds, by default an hour."""
    address = path("/media/videos/{}/signed-url", provider_video_id)
    return Call("POST", address, data(SignedVideoUrl), body=members(expires_in=expires_in))


def list_captions(video_id: str) -> Call[list[Captions]]:
    return Call("GET", path("/media/videos/{}/captions", video_id), data(list[Captions]))


def put_captions(
    video_id: str, language: str, text: str, *, label: Maybe[str | None] = UNSET, idempotency_key: str | None = None
) -> Call[Captions]:
    """Add or replace the captions in a language (`en`, `pt-BR`): the content of a WebVTT or SRT file."""
    address, content = path("/media/videos/{}/captions", video_id), members(language=language, text=text, label=label)
    return Call("POST", address, data(Captions), body=content, idempotency_key=idempotency_key)


def delete_captions(video_id: str, language: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    address = path("/media/videos/{}/captions/{}", video_id, language)
    return Call("DELETE", address, data(Deleted), idempotency_key=idempotency_key)


def choose_poster(
    video_id: str, *, time: Maybe[float] = UNSET, asset_id: Maybe[str] = UNSET, idempotency_key: str | None = None
) -> Call[Video]:
    """Take the picture at a time in seconds, or that of an image asset, as the poster."""
    address, content = path("/media/videos/{}/poster", video_id), members(time=time, asset_id=asset_id)
    return Call("POST", address, data(Video), body=content, idempotency_key=idempotency_key)


def send(
    session: Session, tus_upload_url: str, file: Source, *, piece: int = PIECE, progress: Progress = ignore_progress
) -> Steps[None]:
    """Send the bytes that the upload does not have yet, in pieces, and continue after interruptions."""
    with opened(file) as (source, size):
        yield from send_file(session, tus_upload_url, source, size, piece, progress)


def upload(
    session: Session,
    file: Source,
    title: str,
    *,
    tags: Maybe[Sequence[str]] = UNSET,
    visibility: Maybe[VideoVisibility] = UNSET,
    mime_type: Maybe[str | None] = UNSET,
    space: str | None = None,
    piece: int = PIECE,
    progress: Progress = ignore_progress,
    wait: float | None = None,
) -> Steps[Video]:
    """Create a video, send the file and finalize. With `wait`, wait at most that many seconds until it is ready."""
    with opened(file) as (source, size):
        described = create_video(title, tags=tags, size=size, visibility=visibility, mime_type=mime_type, space=space)
        video = yield from session.perform(described)
        if video.tus_upload_url is None:
            raise LookupError("the service told no tusUploadUrl")
        yield from send_file(session, video.tus_upload_url, source, size, piece, progress)
    video = yield from session.perform(finalize_video(video.id))
    return video if wait is None else (yield from wait_until_ready(session, video.id, wait))


def wait_until_ready(session: Session, video_id: str, seconds: float = 3600.0) -> Steps[Video]:
    """The video once it is ready. Raises VideoFailed, or TimeoutError if it takes longer."""
    started, pause = session.now(), 0.25
    while True:
        video = yield from session.perform(get_video(video_id))
        if video.status == "ready":
            return video
        if video.status in ("failed", "expired"):
            raise VideoFailed(video)
        if session.now() - started + pause > seconds:
            raise TimeoutError(f"video {video_id} is {video.status} after {seconds} seconds")
        yield Pause(pause)
        pause = min(2 * pause, 5.0)


class Videos(Resource[D]):
    create = Operation("createVideo", create_video)
    list = Listing("listVideos", list_videos)
    get = Operation("getVideo", get_video)
    update = Operation("updateVideo", update_video)
    delete = Operation("deleteVideo", delete_video)
    finalize = Operation("finalizeVideo", finalize_video)
    transfer = Operation("transferVideo", transfer_video)
    trash = Operation("trashVideo", trash_video)
    restore = Operation("restoreVideo", restore_video)
    signed_url = Operation("createVideoSignedUrl", sign_video_url)
    list_captions = Operation("listVideoCaptions", list_captions)
    put_captions = Operation("putVideoCaptions", put_captions)
    delete_captions = Operation("deleteVideoCaptions", delete_captions)
    choose_poster = Operation("chooseVideoPoster", choose_poster)
    send = Conversation(send)
    upload = Conversation(upload)
    wait_until_ready = Conversation(wait_until_ready)
