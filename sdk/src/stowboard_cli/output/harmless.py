"""Text of other people, made safe to print.

A terminal obeys ESC and other control characters (C0, DEL, C1), and bidirectional overrides change the order in which
text is shown. In text for people each of them becomes `�`; in JSON it becomes an escape, which means the same. Joiners
and direction marks stay: emoji and Persian are written with them.
"""

import re
import sys

_LATER = "\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_LINE = re.compile(f"[\x00-\x1f{_LATER}]")
_IN_LINES = re.compile(f"[\x00-\x08\x0b-\x1f{_LATER}]")
#: Characters below these were escaped by the JSON encoder.
_IN_JSON = re.compile(f"[{_LATER}]")


def harmless(text: str) -> str:
    """One line of text that is safe to print."""
    return _IN_LINE.sub("�", text)


def harmless_lines(text: str) -> str:
    return _IN_LINES.sub("�", text)


def plain_line(text: str) -> str:
    """The text without such characters, trimmed: titles and names may not contain them."""
    return " ".join(_IN_LINE.sub(" ", text).split())


def harmless_json(text: str) -> str:
    return _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def tell(text: str) -> None:
    """A sentence on standard error, for people."""
    sys.stderr.write(f"{harmless_lines(text)}\n")
    sys.stderr.flush()
