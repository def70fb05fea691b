"""Playback: playlists made of rows, and the bytes they point into, at addresses that carry their own proof.

The names of files are a closed set; none of them is ever a path. The row is read on every request, so a deletion, an
expiry or a new epoch counts from that moment on. What is not made yet is 404 with Retry-After.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.core.services import Services
from stowboard.core.signing import Keyring
from stowboard.db.database import Database, Tx
from stowboard.http.exchange import Exchange, Headers, Route
from stowboard.media.base.disposition import Disposition, content_disposition, content_type
from stowboard.media.base.errors import ContentDamaged, VideoNotFound
from stowboard.media.base.signed_urls import is_living
from stowboard.media.delivery.serving import BlobServing
from stowboard.media.videos import playback, rendition_store, video_store
from stowboard.media.videos.captions import caption_store
from stowboard.media.videos.captions.caption_store import Caption
from stowboard.media.videos.download import MP4, find_download
from stowboard.media.videos.playlists import CONTENT_TYPE, caption_playlist, master_playlist, storyboard_track
from stowboard.media.videos.progress import offered
from stowboard.media.videos.video import POSTER, SOURCE, STORYBOARD, Rendition, Video, VideoStatus

_RENDITION = re.compile(r"(?P<name>[0-9]{1,5}p|audio|original)\.(?P<kind>m3u8|mp4)")
_CAPTION = re.compile(r"captions-(?P<language>[A-Za-z0-9-]{2,35})\.(?P<kind>m3u8|vtt)")
_PROVIDER_ID = re.compile(r"[0-9a-f]{32}")
#: All other files; each with the part that it is made of, by its name in a video's `damaged`.
_PARTS = {
    playback.MASTER: None, playback.SOURCE: SOURCE, playback.POSTER: POSTER, playback.DOWNLOAD: None,
    playback.STORYBOARD: STORYBOARD, playback.STORYBOARD_SHEET: STORYBOARD,
}  # fmt: skip
_ALL_RENDITIONS = (playback.MASTER, playback.DOWNLOAD)
_VTT = "text/vtt; charset=utf-8"
#: States in which what is missing may still come.
_UNDER_WAY = {VideoStatus.AWAITING_UPLOAD, VideoStatus.UPLOADING, VideoStatus.PROCESSING}
_LONGEST_NAME = 120
_RETRY_SECONDS = 5
_PLAYLIST_SECONDS = 300
_YEAR_SECONDS = 31_536_000
#: Files that may change under the same address: another poster may be chosen, or a better download made.
_CHANGING = (playback.POSTER, playback.DOWNLOAD)
_TYPES = {playback.POSTER: "image/jpeg", playback.STORYBOARD_SHEET: "image/jpeg"}


class NotPlayableYet(VideoNotFound):
    message = "The video has nothing to play at this address yet. Retry, or wait until its status is ready."

    def __init__(self) -> None:
        super().__init__(headers=(("retry-after", str(_RETRY_SECONDS)),))


def routes(services: Services) -> list[Route]:
    return [Route("GET", "/stream/{token}/{provider_video_id}/{file}", Player(services).play)]


class Player:
    def __init__(self, services: Services) -> None:
        self._db, self._keyring = services.use(Database), services.use(Keyring)
        self._blobs, self._serving = services.use(BlobStore), services.use(BlobServing)

    async def play(self, exchange: Exchange, token: str, provider_video_id: str, file: str) -> None:
        """Raises VideoNotFound, SignatureExpired or ContentDamaged."""
        if not _PROVIDER_ID.fullmatch(provider_video_id):
            raise VideoNotFound
        found = await self._db.read(_look_up, provider_video_id, file)
        grant = playback.check(self._keyring, found.video, found.space_epoch, token, file)
        if grant is not None and grant.through and not await self._db.read(is_living, grant.through):
            raise VideoNotFound
        left = grant.seconds_left if grant is not None else None
        _require_whole(found.video, file)
        text = _text(found, file)
        if text is not None:
            headers = [*_SAFE, _caching(left, text.seconds), ("content-type", text.content_type)]
            exchange.respond(200, headers, text.content.encode())
        else:
            await self._send(exchange, found, file, left)

    async def _send(self, exchange: Exchange, found: "_Found", file: str, left: int | None) -> None:
        key, size, mime_type, sha256 = _bytes(found, file)
        seconds = _PLAYLIST_SECONDS if file in _CHANGING else _YEAR_SECONDS
        etag, headers = f'"{key.rpartition("/")[2]}"', [*_SAFE, _caching(left, seconds)]
        if file == playback.DOWNLOAD:
            name = f"{found.video.title[:_LONGEST_NAME].strip()}.mp4"
            headers.append(("content-disposition", content_disposition(MP4, name, Disposition.ATTACHMENT)))
        if size is None:
            stored = await self._blobs.find(key)
            if stored is None:
                raise VideoNotFound
            size = stored.size
        await self._serving.serve(exchange, key, size, mime_type, etag, headers, sha256=sha256)


class _Found(NamedTuple):
    """The video, and what its file is made of: renditions of the ladder, captions, or the text of captions."""

    video: Video
    space_epoch: int
    renditions: Sequence[Rendition] = ()
    captions: Sequence[Caption] = ()
    track: str | None = None


class _Text(NamedTuple):
    content: str
    #: How long a client may keep it.
    seconds: int
    content_type: str = CONTENT_TYPE


async def _look_up(tx: Tx, provider_video_id: str, file: str) -> _Found:
    """Raises VideoNotFound."""
    named, caption = _RENDITION.fullmatch(file), _CAPTION.fullmatch(file)
    delivered = await video_store.find_delivered(tx, "provider_video_id", provider_video_id)
    if delivered is None or not (named or caption or file in _PARTS):
        raise VideoNotFound
    video, epoch = delivered
    if named:
        rendition = await rendition_store.find(tx, video.id, named["name"])
        return _Found(video, epoch, [rendition] if rendition is not None else [])
    if caption:
        return _Found(video, epoch, track=await caption_store.find_text(tx, video.id, caption["language"]))
    renditions = await rendition_store.of_video(tx, video.id) if file in _ALL_RENDITIONS else []
    captions = await caption_store.of_video(tx, video.id) if file == playback.MASTER else []
    return _Found(video, epoch, renditions, captions)


def _text(found: _Found, file: str) -> _Text | None:
    """None if the file is no text. Raises VideoNotFound, ContentDamaged."""
    if caption := _CAPTION.fullmatch(file):
        return _caption(found, caption["language"], caption["kind"])
    if file == playback.STORYBOARD:
        return _storyboard(found.video)
    return _playlist(found, file) if file.endswith(".m3u8") else None


def _playlist(found: _Found, file: str) -> _Text:
    video, renditions, captions = found.video, found.renditions, found.captions
    made = [
        rendition for rendition in renditions if rendition.playlist is not None and rendition.name not in video.damaged
    ]
    if not made:
        raise ContentDamaged if video.damaged and renditions else _missing(video)
    if file != playback.MASTER:
        return _Text(made[0].playlist or "", _PLAYLIST_SECONDS)
    if not any(rendition.height for rendition in made):
        raise _missing(video)
    # While others are being made, the playlist will change.
    return _Text(master_playlist(offered(made), captions), _PLAYLIST_SECONDS if len(made) == len(renditions) else 0)


def _caption(found: _Found, language: str, kind: str) -> _Text:
    if found.track is None:
        raise VideoNotFound
    if kind == "vtt":
        return _Text(found.track, 0, _VTT)
    if found.video.duration_ms is None:
        raise _missing(found.video)
    return _Text(caption_playlist(language, found.video.duration_ms), _PLAYLIST_SECONDS)


def _storyboard(video: Video) -> _Text:
    if video.storyboard is None or video.duration_ms is None:
        raise _missing(video)
    track = storyboard_track(video.storyboard, video.duration_ms, playback.STORYBOARD_SHEET)
    return _Text(track, _PLAYLIST_SECONDS, _VTT)


def _require_whole(video: Video, file: str) -> None:
    """Raises ContentDamaged. A player that has a choice of renditions is offered those that are whole."""
    rendition = _RENDITION.fullmatch(file)
    part = rendition["name"] if rendition else _PARTS.get(file)
    if part in video.damaged:
        raise ContentDamaged


def _bytes(found: _Found, file: str) -> tuple[BlobKey, int | None, str, str | None]:
    """Key, size where a row has it, type and digest of what never changes under its key.

    Raises VideoNotFound, ContentDamaged.
    """
    video, renditions, mime_type = found.video, found.renditions, _TYPES.get(file, MP4)
    stored: tuple[BlobKey | None, int | None, str | None] = None, None, None
    if file == playback.SOURCE:
        stored, mime_type = (video.blob_key, video.size, video.blob_sha256), video.mime_type or ""
    elif file == playback.POSTER:
        stored = video.poster_key, None, video.poster_sha256
    elif file == playback.STORYBOARD_SHEET:
        stored = video.storyboard_key, None, video.storyboard_sha256
    elif file == playback.DOWNLOAD:
        if (download := find_download(video, renditions)) is not None:
            if download.part in video.damaged:
                raise ContentDamaged
            stored = download.key, download.size, download.sha256
    elif renditions:
        stored = renditions[0].blob_key, renditions[0].size, renditions[0].blob_sha256
    key, size, sha256 = stored
    if key is None:
        raise _missing(video)
    return key, size, content_type(mime_type), sha256


def _missing(video: Video) -> VideoNotFound:
    return NotPlayableYet() if video.status in _UNDER_WAY else VideoNotFound()


def _caching(left: int | None, seconds: int) -> tuple[str, str]:
    """Cacheable for `seconds` at most, never longer than the address works; `left` is None for a public video."""
    if seconds == 0:
        return "cache-control", "no-cache"
    reach, age = ("public", seconds) if left is None else ("private", min(left, seconds))
    return "cache-control", f"{reach}, max-age={age}" + (", immutable" if seconds == _YEAR_SECONDS else "")


_SAFE: Headers = [
    ("content-security-policy", "default-src 'none'; sandbox"),
    ("cross-origin-resource-policy", "cross-origin"),
    ("referrer-policy", "no-referrer"),
]
