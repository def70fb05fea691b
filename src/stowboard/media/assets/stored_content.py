"""Stored bytes and the facts found in them: all that an asset needs to have them."""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.db.database import Tx
from stowboard.media.assets import content_store
from stowboard.media.base.asset import ContentFacts
from stowboard.media.images import derived_files
from stowboard.media.images.derived_store import DerivedFile
from stowboard.media.images.kept_pictures import reduction_order


class StoredContent(msgspec.Struct, frozen=True):
    sha256: str
    size: int
    #: None if the same bytes were there before, and these were not stored again.
    key: BlobKey | None
    facts: ContentFacts
    reduced: DerivedFile | None = None
    #: Of a large file, the digest of its first and last bytes.
    ends_sha256: str | None = None


async def claim_content(tx: Tx, stored: StoredContent) -> BlobKey:
    """The key under which the bytes stay. The asset's row must follow, and `keep_reduced`. Raises ContentGone."""
    if stored.key is None:
        return await content_store.share(tx, stored.sha256)
    return await content_store.claim(tx, stored.sha256, stored.key, stored.size, stored.ends_sha256)


async def keep_reduced(tx: Tx, stored: StoredContent) -> None:
    """Keep the smaller image with the bytes. It is counted: call it last."""
    if stored.key is not None and stored.reduced is not None:
        await derived_files.keep(tx, reduction_order(stored.sha256), stored.reduced)
