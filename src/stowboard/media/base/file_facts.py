"""Facts found in the first bytes of a file: its type, and the beginning of a text."""

import codecs
import re
from itertools import islice

from stowboard.media.base import sniff
from stowboard.media.base.asset import ContentFacts

#: The most lines and characters of a preview.
LINES, CHARACTERS = 20, 1000
#: The number of first bytes that are read: enough to know the type, and for the preview.
HEAD_BYTES = max(sniff.SNIFF_BYTES, 4 * CHARACTERS + 4)
#: Percent of the characters that may be unreadable: an old text has accents in an encoding that we do not know.
_MOST_UNKNOWN = 10
_TEXT = re.compile(
    r"text/.*|(?:application|model|message)/.*\+(?:json|xml|yaml)"
    r"|application/(?:json|jsonl|ld\+json|ndjson|xml|yaml|x-yaml|toml|x-sh|x-shellscript|sql|javascript|x-tex|x-latex)"
)
_BOMS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def file_facts(head: bytes, size: int, declared: str | None, filename: str) -> ContentFacts:
    mime_type = sniff.mime_type(head[: sniff.SNIFF_BYTES], declared, filename)
    return ContentFacts(mime_type=mime_type, preview=preview_of(head, mime_type, whole=size <= len(head)))


def preview_of(head: bytes, mime_type: str, *, whole: bool) -> str | None:
    """The preview of bytes that begin with `head` (`whole`: that is all of them); None if they are not text.

    It is plain text, whatever the file is: a page that shows it has to escape it.
    """
    if not _TEXT.fullmatch(mime_type):
        return None
    bom = next((each for each in _BOMS if head.startswith(each)), b"")
    text = codecs.getincrementaldecoder(_BOMS.get(bom, "utf-8"))("replace").decode(head[len(bom) :], final=whole)
    unknown = sum(map(len, _CONTROLS.findall(text))) + text.count(_UNKNOWN)
    if "\0" in text or unknown * 100 > len(text) * _MOST_UNKNOWN:
        return None
    lines = islice(_LINE_ENDS.sub("\n", text[:CHARACTERS]).split("\n"), LINES)
    return _CONTROLS.sub("", "\n".join(lines)).rstrip() or None
