"""Permission to play a video: a token in the path of its playlist, which relative addresses in it inherit.

The token is `{expiry}.{key id}.{signature}`, and the id of the token or grant that it was minted with, if a browser did
not; signed over what it opens, which video, the epochs of the video and of its space, the expiry and that id, as parsed
values. Two kinds exist: one opens everything of a video, one its poster alone. Raising
an epoch ends all earlier tokens, at once, since both rows are read on every request. A public video needs no token.

Expiries lie on a grid (signed_urls.py): a second request soon after gets the same address, so that caches work.
"""

import base64
import re
from enum import StrEnum
from typing import NamedTuple

import msgspec

from stowboard.core import clock
from stowboard.core.signing import Keyring
from stowboard.media.base.asset import MediaVisibility
from stowboard.media.base.errors import SignatureExpired, VideoNotFound
from stowboard.media.base.signed_urls import DeliveryGrant, expiry_on_grid
from stowboard.media.videos.video import Video

MASTER, SOURCE, POSTER, DOWNLOAD = "master.m3u8", "video.mp4", "poster.jpg", "download.mp4"
STORYBOARD, STORYBOARD_SHEET = "storyboard.vtt", "storyboard.jpg"
#: In place of a token, for a public video.
PUBLIC = "public"
_POSTER_SECONDS = 3600
_SHAPE = re.compile(
    r"(?P<expiry>[1-9][0-9]{0,11})\.(?P<key>[A-Za-z0-9_-]{1,64})\.(?P<signature>[A-Za-z0-9_-]{43})"
    r"(?:\.(?P<through>[a-z]{3}_[0-9a-z]{1,40}))?"
)


class PlaybackScope(StrEnum):
    """The use of a token; it is part of the signature, so that no token has another use."""

    VIDEO = "stream"
    POSTER = "stream-poster"


class PlaybackPass(NamedTuple):
    token: str
    #: Seconds since the epoch.
    expires_at: int


def mint(
    keyring: Keyring,
    video: Video,
    space_epoch: int,
    through: str,
    seconds: int,
    opens: PlaybackScope = PlaybackScope.VIDEO,
) -> PlaybackPass:
    """A token that plays the video for this time, rounded up a little."""
    expiry = expiry_on_grid(seconds)
    key_id, signature = keyring.sign(opens, _signed(video, space_epoch, expiry, through))
    return PlaybackPass(".".join(filter(None, [str(expiry), key_id, _text(signature), through])), expiry)


def poster_token(keyring: Keyring, video: Video, space_epoch: int, through: str) -> str:
    """A token for the poster alone; a public video needs none."""
    if video.visibility is MediaVisibility.PUBLIC:
        return PUBLIC
    return mint(keyring, video, space_epoch, through, _POSTER_SECONDS, PlaybackScope.POSTER).token


def check(keyring: Keyring, video: Video, space_epoch: int, token: str, file: str) -> DeliveryGrant | None:
    """The rights that this token gives to the file; None for a public video, which anyone may play.

    Raises VideoNotFound, so that a token that is not ours does not tell that there is a video; or SignatureExpired.
    """
    if video.visibility is MediaVisibility.PUBLIC:
        return None
    match = _SHAPE.fullmatch(token)
    through = match["through"] or "" if match is not None else ""
    message = _signed(video, space_epoch, int(match["expiry"]), through) if match is not None else b""
    if match is None or not _is_ours(keyring, message, file, match["key"], match["signature"]):
        raise VideoNotFound
    left = int(match["expiry"]) - clock.now_ms() // 1000
    if left <= 0:
        raise SignatureExpired(
            "The link has expired. Ask for a new one: POST /media/videos/{provider_video_id}/signed-url."
        )
    return DeliveryGrant(left, through=through)


def _is_ours(keyring: Keyring, message: bytes, file: str, key_id: str, text: str) -> bool:
    signature = base64.urlsafe_b64decode(text + "=")
    kinds = (PlaybackScope.VIDEO, PlaybackScope.POSTER) if file == POSTER else (PlaybackScope.VIDEO,)
    # Decoding passes over two bits of the last character. Only one text counts for one signature.
    return _text(signature) == text and any(keyring.verifies(kind, key_id, message, signature) for kind in kinds)


def _signed(video: Video, space_epoch: int, expiry: int, through: str) -> bytes:
    return msgspec.json.encode((video.provider_video_id, video.epoch, space_epoch, expiry, through))


def _text(signature: bytes) -> str:
    return base64.urlsafe_b64encode(signature).rstrip(b"=").decode()
