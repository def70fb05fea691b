"""Optional optimistic locking: `If-Match` names the version that a client wants to change.

An answer may show more than the version covers, such as a task's place among others. Its ETag then has a digest behind
the version. For a change only the version counts.
"""

import hashlib
import re

from stowboard.core.errors import PreconditionFailed

#: Between a version and the digest of an answer.
VERSION_END = "~"
_CODED = re.compile(r'-(?:zstd|br|gzip)"$')


def etag_of_answer(version: str, shown: bytes) -> str:
    """The ETag of the answer that shows this version."""
    return f'{version[:-1]}{VERSION_END}{hashlib.blake2b(shown, digest_size=8).hexdigest()}"'


def coded_etag(etag: str, coding: str) -> str:
    """The ETag of the same answer, compressed: a strong one is for exactly its bytes (RFC 9110, 8.8.3.3)."""
    return f'{etag[:-1]}-{coding}"'


def uncoded_etag(entry: str) -> str:
    return _CODED.sub('"', entry)


def check_if_match(if_match: str | None, etag: str) -> None:
    """Raises PreconditionFailed if the header names only other versions than `etag`, which is in its quotes."""
    if if_match is None or if_match.strip() == "*":
        return
    if etag not in {_version(entry.strip()) for entry in if_match.split(",")}:
        raise PreconditionFailed


def _version(entry: str) -> str:
    entry = uncoded_etag(entry)
    version, end, _ = entry.partition(VERSION_END)
    return f'{version}"' if end else entry
