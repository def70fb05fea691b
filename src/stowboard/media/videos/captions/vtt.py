"""WebVTT and SRT, read strictly and written again: nothing of an uploaded text is served as it came.

Cues keep their times, their places, their text, and the tags for bold, italic, underlined and the speaker. Notes,
styles, regions and all other tags are left out.
"""

import re
from typing import NamedTuple

MOST_CUES = 20_000
LONGEST_CUE = 5_000
_LONGEST_MS = 100 * 3600 * 1000
_TIME = r"(?:(\d{1,3}):)?([0-5]?\d):([0-5]\d)[.,](\d{1,3})"
_TIMES = re.compile(rf"\s*{_TIME}[ \t]+-->[ \t]+{_TIME}(?:[ \t]+(.*))?")
_SETTING = re.compile(
    r"vertical:(?:rl|lr)|align:(?:start|center|end|left|right)|size:\d{1,3}(?:\.\d{1,3})?%"
    r"|line:-?\d{1,3}(?:\.\d{1,3})?%?(?:,(?:start|center|end))?"
    r"|position:\d{1,3}(?:\.\d{1,3})?%(?:,(?:line-left|center|line-right))?"
)
_TAG = re.compile(r"(<[^<>]*>)")
_PLAIN_TAG = re.compile(r"</?[biuv]>", re.IGNORECASE)
_VOICE = re.compile(r"<v(?:\.[\w.-]*)?[ \t]+([^<>&]{1,100})>", re.IGNORECASE)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LEFT_OUT = ("NOTE", "STYLE", "REGION")


class NoCaptions(Exception):
    """The mistake in the text, in words for its sender."""


class CaptionCue(NamedTuple):
    begin_ms: int
    end_ms: int
    text: str
    settings: str = ""


class RewrittenCaptions(NamedTuple):
    #: WebVTT.
    text: str
    #: The number of cues.
    cues: int


def rewrite(text: str) -> RewrittenCaptions:
    """Takes up to half a second: call it in a thread. Raises NoCaptions."""
    cues = read_cues(text)
    return RewrittenCaptions(write_vtt(cues), len(cues))


def read_cues(text: str) -> list[CaptionCue]:
    """In the order of their times. Raises NoCaptions."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if "\0" in text:
        raise NoCaptions("it is no text: it has a character 0")
    first = 0
    if re.match(r"WEBVTT(?:[ \t]|$)", lines[0]):
        first = _end_of_block(lines, 0)
    cues = []
    while first < len(lines):
        end = _end_of_block(lines, first)
        if cue := _cue(lines, first, end):
            cues.append(cue)
        if len(cues) > MOST_CUES:
            raise NoCaptions(f"it has more than {MOST_CUES} captions")
        first = end + 1
    if not cues:
        raise NoCaptions("there is no caption in it")
    return sorted(cues, key=lambda cue: (cue.begin_ms, cue.end_ms))


def write_vtt(cues: list[CaptionCue]) -> str:
    blocks = [
        f"{time_text(cue.begin_ms)} --> {time_text(cue.end_ms)}{cue.settings and ' ' + cue.settings}\n{cue.text}\n"
        for cue in cues
    ]
    return "\n".join(["WEBVTT\n", *blocks])


def time_text(ms: int) -> str:
    seconds, ms = divmod(ms, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ms:03}"


def _end_of_block(lines: list[str], first: int) -> int:
    return next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))


def _cue(lines: list[str], first: int, end: int) -> CaptionCue | None:
    """None where the block is no caption. A name or number may stand before the times."""
    block = lines[first:end]
    if not block or block[0].split()[0] in _LEFT_OUT:
        return None
    place = next((number for number, line in enumerate(block[:2]) if "-->" in line), None)
    times = _TIMES.fullmatch(block[place]) if place is not None else None
    if place is None or times is None:
        where = first + 1 + (place or 0)
        raise NoCaptions(f"line {where}: expected times such as 00:00:01.000 --> 00:00:04.500")
    *numbers, settings = times.groups()
    begin, finish = _ms(*numbers[:4]), _ms(*numbers[4:])
    if not begin < finish <= _LONGEST_MS:
        raise NoCaptions(f"line {first + 1 + place}: a caption has to end after it begins")
    text = _clean("\n".join(block[place + 1 :]))
    if len(text) > LONGEST_CUE:
        raise NoCaptions(f"line {first + 1}: a caption has at most {LONGEST_CUE} characters")
    known = " ".join(word for word in (settings or "").split() if _SETTING.fullmatch(word))
    return CaptionCue(begin, finish, text, known) if text else None


def _ms(hours: str | None, minutes: str, seconds: str, fraction: str) -> int:
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(fraction.ljust(3, "0"))


def _clean(text: str) -> str:
    lines = "".join(map(_clean_part, _TAG.split(text))).split("\n")
    # An empty line would end the caption.
    return "\n".join(stripped for line in lines if (stripped := line.strip()))


def _clean_part(part: str) -> str:
    if _TAG.fullmatch(part):
        if voice := _VOICE.fullmatch(part):
            return f"<v {_CONTROLS.sub('', voice[1]).strip()}>"
        return part.lower() if _PLAIN_TAG.fullmatch(part) else ""
    import html  # a third of a megabyte: the names of all characters

    return html.escape(_CONTROLS.sub("", html.unescape(part)), quote=False)
