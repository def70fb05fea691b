"""Uploads with the bytes inside the request.

Bytes are decoded, inspected and put into the store before the transaction; the asset is ready when it is answered. If
the same bytes were there, the new asset shares them, and the second copy is removed once the request is done: the time
that an upload takes tells nobody what others keep. A job then describes a large JPEG.
"""

import asyncio
from contextlib import suppress
from functools import partial

import msgspec

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.store import BlobStore
from stowboard.core.caller import Access
from stowboard.core.errors import Problem
from stowboard.core.ids import new_id, time_of
from stowboard.core.metadata import checked_metadata
from stowboard.core.services import Services
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.assets import asset_store, content_store
from stowboard.media.assets.content_store import StoredContent
from stowboard.media.assets.describing import describe_later
from stowboard.media.assets.events import announce_asset
from stowboard.media.assets.upload_bodies import UploadBody, check_texts
from stowboard.media.base import sniff
from stowboard.media.base.asset import (
    Asset,
    AssetId,
    AssetKind,
    AssetStatus,
    ContentFacts,
    default_visibility,
    facts_in,
)
from stowboard.media.base.file_facts import HEAD_BYTES, file_facts
from stowboard.media.base.filename import check_filename, clean_filename
from stowboard.media.images import derived_files
from stowboard.media.images.kept_pictures import reduction_order
from stowboard.media.images.patches import patched
from stowboard.media.images.picture import Picture
from stowboard.media.images.works import ImageWorks

BLOB_KIND = "asset"


def check_names(body: UploadBody) -> None:
    """Check all that is known before a byte is stored. Raises TooManyItems or ValidationFailed."""
    checked_tags(body.tags or [])
    checked_metadata(body.metadata or {})
    check_filename("filename", body.filename)
    check_texts(body.title, body.alt)
    if body.original_name is not None:
        check_filename("originalName", body.original_name)


async def keep_image(services: Services, data: bytes, *, strip_location: bool) -> StoredContent:
    """Raises InvalidMedia for bytes that do not decode as an image."""
    blobs, works = services.use(BlobStore), services.use(ImageWorks)
    if strip_location:
        picture = await works.inspect(data, strip_location=True)
        stored = await _keep(blobs, patched(data, picture.patches), picture)
        return await _with_facts(blobs, stored, picture)
    # The disk and the decoder work at the same time. Bytes that are not an image are removed again.
    keeping = asyncio.create_task(_keep(blobs, data, ContentFacts(mime_type=sniff.UNKNOWN)))
    try:
        picture = await works.inspect(data)
    except BaseException:
        await _forget(blobs, keeping)
        raise
    return await _with_facts(blobs, await keeping, picture)


async def _with_facts(blobs: BlobStore, stored: StoredContent, picture: Picture) -> StoredContent:
    reduced = None
    if picture.reduction is not None:
        reduced = await derived_files.put(blobs, reduction_order(stored.sha256), picture.reduction)
    return msgspec.structs.replace(stored, facts=picture, reduced=reduced)


async def keep_file(blobs: BlobStore, data: bytes, filename: str) -> StoredContent:
    return await _keep(blobs, data, file_facts(data[:HEAD_BYTES], len(data), None, filename))


async def create_asset(
    tx: Tx, access: Access, kind: AssetKind, body: UploadBody, stored: StoredContent, blobs: BlobStore
) -> Asset:
    """A new asset with these bytes, ready. Raises SpaceNotFound."""
    asset_id, filename, space = AssetId(new_id("ast")), clean_filename(body.filename), access.in_media(body.space_id)
    asset = Asset(
        id=asset_id,
        space=space,
        kind=kind,
        filename=filename,
        original_name=clean_filename(body.original_name) if body.original_name is not None else filename,
        tags=checked_tags(body.tags or []),
        alt=body.alt,
        title=body.title,
        focal_point=body.focal_point,
        visibility=body.visibility or default_visibility(space),
        status=AssetStatus.READY,
        sha256=stored.sha256,
        blob_key=await content_store.claim_stored(tx, stored, partial(_discard_at_once, blobs)),
        size=stored.size,
        **facts_in(stored.facts),
        created_by=access.caller.owner,
        sent_by=access.caller.owner,
        updated_at=time_of(asset_id),
        metadata=checked_metadata(body.metadata or {}),
    )
    await asset_store.put(tx, None, asset)
    await announce_asset(tx, kinds.ASSET_CREATED, asset)
    await announce_asset(tx, kinds.ASSET_READY, asset)
    await describe_later(tx, asset)
    await content_store.keep_reduced(tx, stored)
    return asset


async def _keep(blobs: BlobStore, data: bytes, facts: ContentFacts) -> StoredContent:
    written = await blobs.put_bytes(key := new_key(BLOB_KIND), data)
    return StoredContent(written.sha256, written.size, key, facts)


async def _forget(blobs: BlobStore, keeping: asyncio.Task[StoredContent]) -> None:
    """Remove the bytes. If the store is away, a sweep does it later."""
    with suppress(Problem):
        await blobs.delete_many([(await keeping).key])


async def _discard_at_once(blobs: BlobStore, tx: Tx, keys: list[BlobKey]) -> None:
    """Without a job, whose order would be one statement more than new bytes need. A sweep removes what this leaves."""

    def begin() -> None:
        task = asyncio.create_task(blobs.delete_many(keys))
        _DISCARDING.add(task)
        task.add_done_callback(_DISCARDING.discard)

    tx.after_commit(begin)


#: The event loop keeps no reference to a task.
_DISCARDING: set[asyncio.Task[None]] = set()
