"""Facts found in the first bytes of a file: its type, and the beginning of a text."""

from stowboard.media.base import sniff, text_preview
from stowboard.media.base.asset import ContentFacts
from stowboard.media.base.text_preview import preview_of

#: The number of first bytes that are read.
HEAD_BYTES = max(sniff.SNIFF_BYTES, text_preview.HEAD_BYTES)


def file_facts(head: bytes, size: int, declared: str | None, filename: str) -> ContentFacts:
    mime_type = sniff.mime_type(head[: sniff.SNIFF_BYTES], declared, filename)
    return ContentFacts(mime_type=mime_type, preview=preview_of(head, mime_type, whole=size <= len(head)))
