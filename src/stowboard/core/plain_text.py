r"""Characters that titles, names, tags and filenames may not contain, since terminals, logs and pages show them.

Refused are control characters (C0, DEL, C1; a terminal obeys ESC), the ends of a line, lone surrogates, and the
controls that turn the order in which text is shown (U+202A to U+202E, U+2066 to U+2069: they make `exe.png` of
`gnp.exe`).
Joiners and direction marks stay: families of emoji, Persian, Arabic and Hebrew are written with them.
"""

import re
import unicodedata
from functools import cache

from stowboard.core.errors import ValidationFailed

#: The inside of a character class, for Python and for the patterns of the OpenAPI document.
CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
#: The characters that `str.strip` takes off. The `\s` of a JSON schema has U+FEFF too, and neither U+0085 nor U+001C.
SPACES = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def line_schema(refused: str = CONTROLS) -> dict[str, str]:
    """Members of a JSON schema for one line with more than spaces. The line is trimmed before it is checked."""
    return {"pattern": rf"^[{SPACES}]*[^{SPACES}{refused}][^{refused}]*[{SPACES}]*$"}


ONE_LINE = line_schema()
_CONTROLS_BUT_LINE_ENDS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
#: The same for a text of several lines.
LINES = {"pattern": rf"^[^{_CONTROLS_BUT_LINE_ENDS}]*$"}
LINES_NOT_BLANK = {
    "pattern": rf"^[^{_CONTROLS_BUT_LINE_ENDS}]*[^{SPACES}{_CONTROLS_BUT_LINE_ENDS}][^{_CONTROLS_BUT_LINE_ENDS}]*$"
}
_NOT_IN_LINE = re.compile(f"[{CONTROLS}\ud800-\udfff]")
_NOT_IN_LINES = re.compile(f"[{_CONTROLS_BUT_LINE_ENDS}\ud800-\udfff]")
#: The most marks in a row that the Stream-Safe Text Format of UAX #15 allows.
_MOST_MARKS = 30


def checked_line(member: str, text: str) -> str:
    """A title or a name as it is stored, trimmed. Raises ValidationFailed, naming the member."""
    line = text.strip()
    if not line:
        raise ValidationFailed(f"{member}: expected at least one character that is not a space.")
    check_line(member, line)
    return line


def check_line(member: str, text: str) -> None:
    """Raises ValidationFailed for more than one line, and for control characters."""
    if (found := _NOT_IN_LINE.search(text)) is not None:
        raise ValidationFailed(
            f"{member}: expected one line without control characters; take U+{ord(found[0]):04X} out."
        )


def check_lines(member: str, text: str) -> None:
    """Raises ValidationFailed for control characters other than tabs and line ends."""
    if (found := _NOT_IN_LINES.search(text)) is not None:
        raise ValidationFailed(f"{member}: expected text without control characters; take U+{ord(found[0]):04X} out.")


def shown_line(text: str) -> str:
    """A line that is safe for a terminal: each control character becomes `�`."""
    return _NOT_IN_LINE.sub("�", text)


def plain_line(text: str) -> str:
    """Text from elsewhere as a title or a name: without such characters, and with single spaces."""
    return " ".join(_NOT_IN_LINE.sub(" ", text).split())


def plain_lines(text: str) -> str:
    """Text from elsewhere as a body: without such characters, its lines ended by LF, trimmed."""
    return _NOT_IN_LINES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def stream_safe(text: str) -> str:
    """The text with at most 30 combining marks in a row.

    Call this before text is normalised: normalising sorts marks, which takes the square of their number.
    """
    # If a run is longer, one of every 30 characters lies in it.
    if text.isascii() or not any(map(_is_mark, text[::_MOST_MARKS])):
        return text
    return _long_runs().sub(r"\1", text)


def _is_mark(char: str) -> bool:
    return unicodedata.combining(char) != 0 or char in _MADE_OF_MARKS


#: Tibetan vowel signs that are not marks themselves, but decompose into marks.
_MADE_OF_MARKS = "\u0f73\u0f75\u0f81"


@cache
def _long_runs() -> re.Pattern[str]:
    marks = "".join(filter(_is_mark, map(chr, range(0x300, 0x1F000))))
    return re.compile(f"([{marks}]{{{_MOST_MARKS}}})[{marks}]+")
