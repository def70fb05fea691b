"""A video's captions in one language."""

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
#: In a playlist the label stands in quotes, so it has none.
LABEL = rf'^(?=.*[^{SPACES}])[^"\x00-\x1f\x7f-\x9f\u2028\u2029]+{TEXT_END}'


class Caption(msgspec.Struct, frozen=True, kw_only=True):
    """Captions without their text."""

    video_id: VideoId
    language: str
    label: str
    #: The number of cues.
    cues: int
    updated_at: int


def checked_language(text: str) -> str:
    """As it is usually written: `de`, `pt-BR`, `zh-Hant`. Raises ValidationFailed."""
    if not re.fullmatch(LANGUAGE, text):
        raise ValidationFailed("language: expected a tag such as en, pt-BR or zh-Hant.")
    first, *others = text.split("-")
    return "-".join([first.lower(), *(_usual.get(len(part), str.lower)(part) for part in others)])


_usual = {2: str.upper, 4: str.title}
