"""How a text begins, for who wants to know what it is before they open it.

It is shown as text and never as what it may be: who shows it in a page has to escape it. What is no text, whatever its
type says, has none.
"""

import codecs
import re
from itertools import islice

#: At most so many of each.
LINES, CHARACTERS = 20, 1000
#: How many of the first bytes are enough to see.
HEAD_BYTES = 4 * CHARACTERS + 4
#: Of a hundred characters, how many may be none: an old text has an accent here and there that we do not know.
_MOST_UNKNOWN = 10
_TEXT = re.compile(
    r"text/.*|(?:application|model|message)/.*\+(?:json|xml|yaml)"
    r"|application/(?:json|jsonl|ld\+json|ndjson|xml|yaml|x-yaml|toml|x-sh|x-shellscript|sql|javascript|x-tex|x-latex)"
)
_BOMS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def is_text(mime_type: str) -> bool:
    return _TEXT.fullmatch(mime_type) is not None


def preview_of(head: bytes, mime_type: str, *, whole: bool) -> str | None:
    """Of bytes that begin with `head`, or are it; None for what is no text, or has nothing to show."""
    if not is_text(mime_type):
        return None
    bom = next((each for each in _BOMS if head.startswith(each)), b"")
    text = codecs.getincrementaldecoder(_BOMS.get(bom, "utf-8"))("replace").decode(head[len(bom) :], final=whole)
    unknown = sum(map(len, _CONTROLS.findall(text))) + text.count(_UNKNOWN)
    if "\0" in text or unknown * 100 > len(text) * _MOST_UNKNOWN:
        return None
    lines = islice(_LINE_ENDS.sub("\n", text[:CHARACTERS]).split("\n"), LINES)
    return _CONTROLS.sub("", "\n".join(lines)).rstrip() or None
