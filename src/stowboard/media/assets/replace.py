"""Replace the bytes of an asset by bytes inside the request. Everything else about the asset stays.

A wrong size or another kind is refused at once. A job finds out whether an image is whole; until then the asset serves
its old bytes.
"""

from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore
from stowboard.db.database import Database, Tx
from stowboard.media.assets import asset_store
from stowboard.media.assets.inline import BLOB_KIND
from stowboard.media.assets.processing import process_later
from stowboard.media.assets.upload_bodies import ReplaceBody
from stowboard.media.base import sniff
from stowboard.media.base.asset import Asset, AssetKind, AssetStatus, IncomingBytes
from stowboard.media.base.errors import InvalidMedia, ReplaceInProgress, SizeMismatch
from stowboard.media.base.filename import check_filename, clean_filename
from stowboard.media.base.image_types import IMAGE_TYPES
from stowboard.media.uploads.base64_text import decode_base64

_UNKNOWN = "unknown"


async def keep_replacement(db: Database, blobs: BlobStore, asset_id: str, body: ReplaceBody) -> IncomingBytes:
    """Store the bytes. Raises AssetNotFound, SizeMismatch, InvalidMedia, InvalidBase64 or ValidationFailed."""
    asset = await db.read(asset_store.get, asset_id)
    check_filename("originalName", body.original_name)
    data = await decode_base64("imageData", body.image_data)
    if len(data) != body.size:
        raise SizeMismatch(f"size is {body.size}, but imageData has {len(data)} bytes.")
    _check_type(asset.kind, body.mime_type, data[: sniff.SNIFF_BYTES])
    key = new_key(BLOB_KIND)
    written = await blobs.put_bytes(key, data)
    return IncomingBytes(key, len(data), clean_filename(body.original_name), body.mime_type, written.sha256)


async def replace_bytes(tx: Tx, asset_id: str, incoming: IncomingBytes) -> Asset:
    """The asset, processing. Raises AssetNotFound or ReplaceInProgress."""
    asset = await asset_store.lock(tx, asset_id)
    if asset.status is AssetStatus.PROCESSING:
        raise ReplaceInProgress
    return await process_later(tx, asset, incoming)


def _check_type(kind: AssetKind, declared: str, head: bytes) -> None:
    seen = sniff.sniff(head)
    if kind is AssetKind.IMAGE and seen not in IMAGE_TYPES:
        raise InvalidMedia(f"The asset is an image and stays one; the bytes are {seen or 'of no known image type'}.")
    if seen is not None and _family(declared) not in (_family(sniff.mime_type(head, declared, "")), _UNKNOWN):
        raise InvalidMedia(f"mimeType says {declared}, but the bytes are {seen}.")


def _family(mime_type: str) -> str:
    """The part before the slash, such as `image`."""
    return _UNKNOWN if mime_type == sniff.UNKNOWN else mime_type.partition("/")[0].lower()
