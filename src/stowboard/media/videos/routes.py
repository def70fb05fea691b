"""Videos over HTTP."""

import re

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.api.endpoint import Answer, AnyCall, Call, Deleted, Endpoint, PageMeta
from stowboard.api.paging import Page, given
from stowboard.core.errors import Conflict, InTrash, TooManyItems, ValidationFailed
from stowboard.core.preconditions import etag_of_answer
from stowboard.core.signing import Keyring
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.media.assets.bodies import MediaQuery, MediaSpaceBody
from stowboard.media.base.errors import (
    AssetNotReady,
    ContentDamaged,
    InvalidMedia,
    NamespaceNotAllowed,
    UploadGone,
    UploadIncomplete,
    UploadLocked,
    VideoNotFound,
)
from stowboard.media.base.links import MediaLinks
from stowboard.media.base.listing import cursor_binding, require_alone
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.base.uses import MediaUses
from stowboard.media.videos import create, edit, finalize, listing, playback, poster, rendition_store, video_store
from stowboard.media.videos.download import find_download
from stowboard.media.videos.ffmpeg.endings import put_poster
from stowboard.media.videos.finalize import ExaminedUpload
from stowboard.media.videos.listing import VideoFilters, VideoSort
from stowboard.media.videos.poster import PosterCopy
from stowboard.media.videos.progress import VideoProgress, progress_of
from stowboard.media.videos.remove import remove_video
from stowboard.media.videos.video import Rendition, Video, VideoStatus
from stowboard.media.videos.wire import (
    DEFAULT_SECONDS,
    EXAMPLE,
    EXAMPLE_CREATED,
    EXAMPLE_SIGNED,
    CreateVideoBody,
    PatchVideoBody,
    PosterBody,
    SignedUrlBody,
    SignedUrlView,
    VideoView,
    etag,
    show,
)
from stowboard.search.filling import SearchNotReady

_PROVIDER_ID = re.compile(r"[0-9a-f]{32}")


class VideosQuery(MediaQuery, frozen=True, rename="camel"):
    """Filters of a list of videos; all that are given must hold."""

    status: VideoStatus | UnsetType = UNSET
    sort: VideoSort = VideoSort.NEWEST

    def filters(self, spaces: tuple[str, ...]) -> VideoFilters:
        return VideoFilters(spaces=spaces, **self.media_filters(), status=given(self.status), sort=self.sort)


async def create_video(tx: Tx, call: Call[CreateVideoBody, None]) -> Answer:
    """Create a video, and get the address that takes its bytes.

    Send the file to `tusUploadUrl` by the TUS protocol, then finalize. The address is its own proof: whoever has it may
    upload. It waits 24 hours for the first byte, and as long again after each later one. A film may last 12 hours, and
    all its pictures together may have 3,000,000,000,000 pixels, which is 12 hours of 1080p.
    """
    max_bytes = call.use(MediaSettings).max_video_bytes
    if (size := call.body.size or 0) <= max_bytes:
        call.use(Storage).require_space(size)
        await call.use(Storage).require_room(tx, call.caller.owner, size)
    video, upload, token = await create.create_video(tx, call.access, call.body, max_bytes)
    location = ("location", f"{call.origin}/api/v1/media/videos/{video.id}")
    return Answer(show(call, video, VideoProgress(0, upload.length), token), headers=(location, ("etag", etag(video))))


async def list_videos(tx: Tx, call: Call[None, VideosQuery]) -> Answer:
    """List videos, newest first if no order is asked for.

    A page may be shorter than its limit although more follow: go by `meta.hasMore`.
    """
    word = call.query.space_id or None
    spaces = call.access.over_media(word)
    if call.query.trashed:
        require_alone(call.query)
        page = Page(call, "trashed videos", word, call.caller.owner)
        listed = await listing.list_trashed_videos(tx, spaces, page.after, page.size)
    else:
        filters = call.query.filters(spaces)
        page = Page(call, "videos", cursor_binding(filters, word, call.caller.owner))
        listed = await listing.list_videos(tx, filters, page.after, page.size)
    progress = await progress_of(tx, listed.items)
    return page.answer([show(call, video, progress[video.id]) for video in listed.items], listed.end)


async def get_video(tx: Tx, call: Call[None, None], video_id: str) -> Answer:
    """Read one video."""
    return await show_one(tx, call, await video_store.get(tx, call.access, video_id))


async def update_video(tx: Tx, call: Call[PatchVideoBody, None], video_id: str) -> Answer:
    """Change a video's title, tags, visibility or metadata.

    What is omitted keeps its value. A change of the visibility ends every signed URL that is out.
    """
    return await show_one(tx, call, await edit.edit_video(tx, call.access, video_id, call.body, call.if_match))


async def delete_video(tx: Tx, call: Call[None, None], video_id: str) -> Deleted:
    """Delete a video for good, with all that was made of it.

    Processing is stopped, an unfinished upload is dropped, and links that play the video answer 404 at once.
    """
    video = await remove_video(tx, call.access, video_id, call.if_match, call.use(MediaUses))
    await audit.record_in(tx, call.caller, video.space, "video.delete", video_id)
    return Deleted(video_id)


async def transfer_video(tx: Tx, call: Call[MediaSpaceBody, None], video_id: str) -> Answer:
    """Transfer a video to another space.

    Its id stays; all signed URLs end. A video that leaves the Library becomes protected. A video that is attached to a
    task outside of the new space is refused.
    """
    space = call.access.in_media(call.body.space_id)
    video = await edit.transfer_video(tx, call.access, video_id, space, call.use(MediaUses))
    await audit.record_in(tx, call.caller, space, "video.transfer", video_id)
    return await show_one(tx, call, video)


async def finalize_video(tx: Tx, call: Call[None, None], video_id: str, examined: ExaminedUpload | None) -> Answer:
    """Say that all bytes are there, so that processing begins.

    Repeating it changes nothing. An upload whose length was never told ends where it stands.
    """
    video = await finalize.finalize_video(tx, call.access, video_id, examined)
    return await show_one(tx, call, video)


async def create_video_signed_url(tx: Tx, call: Call[SignedUrlBody, None], provider_video_id: str) -> SignedUrlView:
    """Mint URLs that play a video for a time.

    The path takes `providerVideoId`; the video's `id` is not found there. Any status will do: until there is
    something to play, the URLs answer 404 with `Retry-After`.
    """
    if not _PROVIDER_ID.fullmatch(provider_video_id):
        raise VideoNotFound
    video = await video_store.get_usable_by(tx, call.access, "provider_video_id", provider_video_id)
    return _signed(call, video, await rendition_store.of_video(tx, video.id))


async def choose_video_poster(
    tx: Tx, call: Call[PosterBody, None], video_id: str, copy: PosterCopy | None
) -> VideoView:
    """Choose what a video shows before it plays.

    With `assetId` a copy of that image is the poster at once. With `time`, the old poster stays until the picture of
    that moment is found, and `media.video.updated` tells of it.
    """
    if copy is not None:
        video = await put_poster(tx, await video_store.lock(tx, call.access, video_id), copy.key, copy.sha256)
    else:
        assert call.body.time is not None
        at_ms = round(call.body.time * 1000)
        video = await poster.choose_moment(tx, call.access, video_id, at_ms)
    return await _shown(tx, call, video)


async def _copy(call: Call[PosterBody, None], video_id: str) -> PosterCopy | None:
    body = call.body
    if (body.time is None) == (body.asset_id is None):
        raise ValidationFailed("Expected either time or assetId.")
    if body.asset_id is None:
        return None
    return await poster.copy_image(call.services, call.access, video_id, body.asset_id)


async def _examine(call: Call[None, None], video_id: str) -> ExaminedUpload | None:
    return await finalize.examine(call.services, call.access, video_id)


def _signed(call: Call[SignedUrlBody, None], video: Video, renditions: list[Rendition]) -> SignedUrlView:
    epoch, seconds = call.caller.reach.epoch_of(video.space), call.body.expires_in or DEFAULT_SECONDS
    granted = playback.mint(call.use(Keyring), video, epoch, call.caller.through, seconds)
    has_ladder = any(rendition.playlist is not None and rendition.height for rendition in renditions)

    def link(file: str) -> str:
        return call.use(MediaLinks).playback(call.origin, granted.token, video.provider_video_id, file)

    best = playback.MASTER if video.status is VideoStatus.READY and has_ladder else playback.SOURCE
    return SignedUrlView(
        url=link(best),
        expires_at=granted.expires_at * 1000,
        status=video.status,
        provider_video_id=video.provider_video_id,
        hls_url=link(playback.MASTER) if has_ladder else None,
        mp4_url=link(playback.SOURCE) if video.blob_key is not None else None,
        download_url=link(playback.DOWNLOAD) if find_download(video, renditions) is not None else None,
        poster_url=link(playback.POSTER) if video.poster_key is not None else None,
        storyboard_url=link(playback.STORYBOARD) if video.storyboard_key is not None else None,
    )


async def show_one(tx: Tx, call: AnyCall, video: Video) -> Answer:
    """The answer shows how far the video is, and links that run out; so its ETag has more than the video's state."""
    shown = await _shown(tx, call, video)
    return Answer(shown, headers=(("etag", etag_of_answer(etag(video), msgspec.json.encode(shown))),))


async def _shown(tx: Tx, call: AnyCall, video: Video) -> VideoView:
    return show(call, video, (await progress_of(tx, [video]))[video.id])


_READ, _WRITE, _DELETE = "media:read", "media:write", "media:delete"
_ETAG = {"ETag": "The state of the video, for If-Match; behind `~`, that of this answer."}
_IF_MATCH = {"If-Match": "The ETag of the state that the change is for; another one is answered with 412."}

ENDPOINTS = [
    Endpoint(
        "POST", "/media/videos/upload", create_video, VideoView, scope=_WRITE, body=CreateVideoBody, status=201,
        secret=True, errors=[TooManyItems], headers={"Location": "Where the video is."}, example=EXAMPLE_CREATED,
        example_body={"title": "Harbour at dawn", "tags": ["holiday"], "size": 48213377},
    ),
    Endpoint(
        "GET", "/media/videos", list_videos, list[VideoView], scope=_READ, query=VideosQuery, meta=PageMeta,
        errors=[TooManyItems, SearchNotReady], example=[EXAMPLE],
    ),
    Endpoint(
        "GET", "/media/videos/{video_id}", get_video, VideoView, scope=_READ, example=EXAMPLE,
        headers=_ETAG, revalidates=True,
    ),
    Endpoint(
        "PATCH", "/media/videos/{video_id}", update_video, VideoView, scope=_WRITE, body=PatchVideoBody,
        takes=_IF_MATCH, headers=_ETAG, errors=[InTrash, TooManyItems], example=EXAMPLE,
        example_body={"title": "Harbour", "visibility": "public"},
    ),
    Endpoint(
        "DELETE", "/media/videos/{video_id}", delete_video, Deleted, scope=_DELETE, takes=_IF_MATCH,
        example={"id": "vid_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
    Endpoint(
        "POST", "/media/videos/{video_id}/transfer", transfer_video, VideoView, scope=_DELETE, body=MediaSpaceBody,
        headers=_ETAG, errors=[UploadIncomplete, Conflict], example=EXAMPLE, example_body={"spaceId": "own"},
    ),
    Endpoint(
        "POST", "/media/videos/{video_id}/finalize", finalize_video, VideoView, scope=_WRITE,
        prepare=_examine, headers=_ETAG,
        errors=[InTrash, InvalidMedia, UploadIncomplete, UploadGone, UploadLocked],
        example=EXAMPLE | {"status": "processing", "processing": {"progress": 0}, "posterUrl": None},
    ),
    Endpoint(
        "POST", "/media/videos/{provider_video_id}/signed-url", create_video_signed_url, SignedUrlView, scope=_READ,
        reads=True, secret=True, body=SignedUrlBody, errors=[InTrash], example=EXAMPLE_SIGNED,
        example_body={"expiresIn": 3600},
    ),
    Endpoint(
        "POST", "/media/videos/{video_id}/poster", choose_video_poster, VideoView, scope=_WRITE, body=PosterBody,
        prepare=_copy, errors=[InTrash, UploadIncomplete, AssetNotReady, NamespaceNotAllowed, ContentDamaged],
        example=EXAMPLE, example_body={"time": 12.5},
    ),
]  # fmt: skip
