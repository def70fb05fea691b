"""A video's captions in one language, and what their files are called in playback addresses."""

import re

import msgspec

from stowboard.core.errors import ValidationFailed
from stowboard.core.plain_text import SPACES
from stowboard.core.wording import TEXT_END
from stowboard.media.videos.video import VideoId

MOST_LANGUAGES = 50
LONGEST_LABEL = 100
#: A language, and after it a script, a region or a variant (BCP 47).
LANGUAGE = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}" + TEXT_END
#: Quotes would end the label where a playlist has it.
LABEL = rf'^(?=.*[^{SPACES}])[^"\x00-\x1f\x7f-\x9f\u2028\u2029]+{TEXT_END}'
_FILE = re.compile(r"captions-(?P<language>[A-Za-z0-9-]{2,35})\.(?P<kind>m3u8|vtt)")


class Caption(msgspec.Struct, frozen=True, kw_only=True):
    """All but the text."""

    video_id: VideoId
    language: str
    label: str
    #: How many there are.
    cues: int
    updated_at: int


class CaptionFile(msgspec.Struct, frozen=True):
    language: str
    is_playlist: bool


def checked_language(text: str) -> str:
    """As it is usually written: `de`, `pt-BR`, `zh-Hant`. Raises ValidationFailed."""
    if not re.fullmatch(LANGUAGE, text):
        raise ValidationFailed("language: expected a tag such as en, pt-BR or zh-Hant.")
    first, *others = text.split("-")
    return "-".join([first.lower(), *(_usual.get(len(part), str.lower)(part) for part in others)])


_usual = {2: str.upper, 4: str.title}


def playlist_name(language: str) -> str:
    return f"captions-{language}.m3u8"


def track_name(language: str) -> str:
    return f"captions-{language}.vtt"


def find_caption_file(file: str) -> CaptionFile | None:
    """The captions that a file's name stands for; None for any other name."""
    match = _FILE.fullmatch(file)
    return CaptionFile(match["language"], match["kind"] == "m3u8") if match else None


def track_playlist(language: str, duration_ms: int) -> str:
    """The one text as an HLS playlist wants it: a segment as long as the video."""
    seconds = duration_ms / 1000
    return "\n".join([
        "#EXTM3U", "#EXT-X-VERSION:7", f"#EXT-X-TARGETDURATION:{max(1, round(seconds + 0.5))}",
        "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD", f"#EXTINF:{seconds:.3f},", track_name(language),
        "#EXT-X-ENDLIST", "",
    ])  # fmt: skip
