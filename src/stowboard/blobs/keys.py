"""Names of blobs: `kind/shard/ulid`, made here and nowhere else.

No text of a user is ever in a key, and only what `is_key` accepts becomes a path or an object name, so a key cannot
leave its store. The shard is the end of the ULID, its most random part: 1,024 folders a kind, about a thousand files
in each at a million blobs. Within a kind and a shard, keys sort by creation.
"""

import re
from typing import NewType

from stowboard.core import ids

BlobKey = NewType("BlobKey", str)

_KIND = re.compile(r"[a-z]{1,16}")
_SHAPE = re.compile(r"[a-z]{1,16}/([0-9a-hjkmnp-tv-z]{2})/[0-9a-hjkmnp-tv-z]{24}\1")


def new_key(kind: str) -> BlobKey:
    """A key that nobody has had before. The kind is a word of the code, such as `asset` or `poster`."""
    if not is_kind(kind):
        raise ValueError(f"a kind of blob is 1 to 16 letters a-z, not {kind!r}")
    ulid = ids.new_id(kind).partition("_")[2]
    return BlobKey(f"{kind}/{ulid[-2:]}/{ulid}")


def parse_key(text: str) -> BlobKey:
    """The key that was kept as text, for instance in a row."""
    check_key(text)
    return BlobKey(text)


def check_key(text: str) -> None:
    if not is_key(text):
        raise ValueError(f"not a key of a blob: {text!r}")


def is_key(text: str) -> bool:
    return _SHAPE.fullmatch(text) is not None


def is_kind(text: str) -> bool:
    return _KIND.fullmatch(text) is not None
