"""Bytes that are in the store, and what they turned out to be: what an asset needs to have them."""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.db.database import Tx
from stowboard.media.assets import content_store
from stowboard.media.base.asset import Location, Placeholder
from stowboard.media.images import reduction
from stowboard.media.images.derived_store import DerivedFile


class Kept(msgspec.Struct, frozen=True):
    sha256: str
    size: int
    #: None if the same bytes were there before, and these were not put again.
    key: BlobKey | None
    mime_type: str
    width: int | None = None
    height: int | None = None
    placeholder: Placeholder | None = None
    reduced: DerivedFile | None = None
    taken_at: int | None = None
    camera: str | None = None
    location: Location | None = None
    frames: int | None = None
    preview: str | None = None


async def claim_content(tx: Tx, kept: Kept) -> BlobKey:
    """The key under which the bytes stay. To be followed by the asset's row. Raises ContentGone."""
    if kept.key is None:
        return await content_store.share(tx, kept.sha256)
    key = await content_store.claim(tx, kept.sha256, kept.key, kept.size)
    if kept.reduced is not None:
        await reduction.keep(tx, kept.sha256, kept.reduced)
    return key
