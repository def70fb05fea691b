"""Playback: playlists made of rows, and the bytes they point into, at addresses that carry their own proof.

The names of files are a closed set; none of them is ever a path. The row is read on every request, so a deletion, an
expiry or a new epoch counts from that moment on. What is not made yet is 404 with Retry-After.
"""

import re

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.core.services import Services
from stowboard.core.signing import Keyring
from stowboard.db.database import Database, Tx
from stowboard.http.exchange import Exchange, Headers, Route
from stowboard.media.base.disposition import content_type
from stowboard.media.base.errors import ContentDamaged, VideoNotFound
from stowboard.media.delivery.serving import Serving
from stowboard.media.videos import playback, rung_store, video_store
from stowboard.media.videos.master_playlist import CONTENT_TYPE, master_playlist
from stowboard.media.videos.video import POSTER, SOURCE, Rung, Video, VideoStatus

_RUNG = re.compile(r"(?P<name>[0-9]{1,5}p)\.(?P<kind>m3u8|mp4)")
_PROVIDER_ID = re.compile(r"[0-9a-f]{32}")
#: States in which what is missing may still come.
_UNDER_WAY = {VideoStatus.AWAITING_UPLOAD, VideoStatus.UPLOADING, VideoStatus.PROCESSING}
_RETRY_SECONDS = 5
_PLAYLIST_SECONDS = 300
_YEAR_SECONDS = 31_536_000


class NotPlayableYet(VideoNotFound):
    message = "The video has nothing to play at this address yet. Retry, or wait until its status is ready."

    def __init__(self) -> None:
        super().__init__(headers=(("retry-after", str(_RETRY_SECONDS)),))


def routes(services: Services) -> list[Route]:
    return [Route("GET", "/stream/{token}/{provider_video_id}/{file}", Player(services).play)]


class Player:
    def __init__(self, services: Services) -> None:
        self._db, self._keyring = services.use(Database), services.use(Keyring)
        self._blobs, self._serving = services.use(BlobStore), services.use(Serving)

    async def play(self, exchange: Exchange, token: str, provider_video_id: str, file: str) -> None:
        """Raises VideoNotFound, SignatureInvalid, SignatureExpired or ContentDamaged."""
        if not _PROVIDER_ID.fullmatch(provider_video_id):
            raise VideoNotFound
        video, rungs = await self._db.read(_look_up, provider_video_id, file)
        left = playback.check(self._keyring, video, token, file)
        _require_whole(video, file)
        if file.endswith(".m3u8"):
            text, seconds = _playlist(video, rungs, file)
            exchange.respond(200, [*_SAFE, _caching(left, seconds), ("content-type", CONTENT_TYPE)], text.encode())
        else:
            key, size, mime_type = _bytes(video, rungs, file)
            etag, headers = f'"{key.rpartition("/")[2]}"', [*_SAFE, _caching(left, _YEAR_SECONDS)]
            size = await self._size(key) if size is None else size
            await self._serving.serve(exchange, key, size, mime_type, etag, headers)

    async def _size(self, key: BlobKey) -> int:
        stored = await self._blobs.find(key)
        if stored is None:
            raise VideoNotFound
        return stored.size


async def _look_up(tx: Tx, provider_video_id: str, file: str) -> tuple[Video, list[Rung]]:
    """The video, and the steps of its ladder that the file is about. Raises VideoNotFound."""
    named = _RUNG.fullmatch(file)
    video = await video_store.find_by_provider_id(tx, provider_video_id)
    if video is None or not (named or file in (playback.MASTER, playback.SOURCE, playback.POSTER)):
        raise VideoNotFound
    if named:
        rung = await rung_store.find(tx, video.id, named["name"])
        return video, [rung] if rung is not None else []
    return video, await rung_store.of_video(tx, video.id) if file == playback.MASTER else []


def _playlist(video: Video, rungs: list[Rung], file: str) -> tuple[str, int]:
    """The text, and for how many seconds it may be kept. Raises VideoNotFound, ContentDamaged."""
    made = [rung for rung in rungs if rung.playlist is not None and rung.name not in video.damaged]
    if not made:
        raise ContentDamaged if video.damaged and rungs else _missing(video)
    if file != playback.MASTER:
        return made[0].playlist or "", _PLAYLIST_SECONDS
    # While others are being made it is not the last word.
    return master_playlist(made), _PLAYLIST_SECONDS if len(made) == len(rungs) else 0


def _require_whole(video: Video, file: str) -> None:
    """Raises ContentDamaged. A player that has a choice of rungs is offered those that are whole."""
    rung = _RUNG.fullmatch(file)
    part = rung["name"] if rung else {playback.SOURCE: SOURCE, playback.POSTER: POSTER}.get(file)
    if part in video.damaged:
        raise ContentDamaged


def _bytes(video: Video, rungs: list[Rung], file: str) -> tuple[BlobKey, int | None, str]:
    """Key, size where a row has it, and type of what never changes under its key. Raises VideoNotFound."""
    if file == playback.SOURCE:
        key, size, mime_type = video.blob_key, video.size, video.mime_type
    elif file == playback.POSTER:
        key, size, mime_type = video.poster_key, None, "image/jpeg"
    else:
        key, size, mime_type = (rungs[0].blob_key, rungs[0].size, "video/mp4") if rungs else (None, None, None)
    if key is None:
        raise _missing(video)
    return key, size, content_type(mime_type or "")


def _missing(video: Video) -> VideoNotFound:
    return NotPlayableYet() if video.status in _UNDER_WAY else VideoNotFound()


def _caching(left: int | None, seconds: int) -> tuple[str, str]:
    """For so long at most, and never for longer than the address works; None is a public one's."""
    if seconds == 0:
        return "cache-control", "no-cache"
    reach, age = ("public", seconds) if left is None else ("private", min(left, seconds))
    return "cache-control", f"{reach}, max-age={age}" + (", immutable" if seconds == _YEAR_SECONDS else "")


_SAFE: Headers = [
    ("content-security-policy", "default-src 'none'; sandbox"),
    ("cross-origin-resource-policy", "cross-origin"),
    ("referrer-policy", "no-referrer"),
]
