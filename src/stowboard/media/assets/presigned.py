"""Pre-signed uploads: announced here, sent by one PUT (put_routes.py) or by TUS, then processed.

The address is the permission: anybody who has it may send the announced bytes, once. A new asset is `pending` until
they arrive; if they never do, it is removed with its upload. Of two uploads for one asset, the one that ends last wins.
"""

from stowboard.blobs.keys import new_key
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import PayloadTooLarge, ValidationFailed
from stowboard.core.ids import new_id, time_of
from stowboard.core.metadata import checked_metadata
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.media.assets import asset_store
from stowboard.media.assets.inline import BLOB_KIND
from stowboard.media.assets.processing import process_later
from stowboard.media.assets.upload_bodies import DEFAULT_SECONDS, PresignedBody
from stowboard.media.base import sniff
from stowboard.media.base.asset import Asset, AssetId, AssetKind, AssetStatus, IncomingBytes, default_visibility
from stowboard.media.base.discard import discard_later
from stowboard.media.base.filename import check_filename, clean_filename
from stowboard.media.base.image_types import IMAGE_TYPES
from stowboard.media.base.uses import MediaUses
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload, UploadId, UploadPurpose, new_token


async def announce_upload(tx: Tx, access: Access, body: PresignedBody, max_bytes: int) -> tuple[Upload, str]:
    """The upload, and the secret of its address.

    Raises AssetNotFound, SpaceNotFound, PayloadTooLarge or ValidationFailed.
    """
    if body.size > max_bytes:
        raise PayloadTooLarge(f"size: a file may have at most {max_bytes} bytes on this server.")
    check_filename("filename", body.filename)
    asset = await (new_asset(tx, access, body) if body.asset_id is None else _asset_to_replace(tx, access, body))
    now, token = clock.now_ms(), new_token()
    upload = Upload(
        id=UploadId(new_id("upl")),
        purpose=UploadPurpose.ASSET,
        subject=asset.id,
        space=asset.space,
        blob_key=new_key(BLOB_KIND),
        length=body.size,
        mime_type=body.mime_type,
        name=clean_filename(body.filename),
        checksum=body.checksum.partition(":")[2].lower() if body.checksum is not None else None,
        strip_location=int(bool(body.strip_location)),
        created_by=access.caller.owner,
        made_through=access.caller.through,
        created_at=now,
        updated_at=now,
        expires_at=now + (body.expires_in or DEFAULT_SECONDS) * 1000,
    )
    await upload_store.insert(tx, upload, token)
    return upload, token


async def new_asset(tx: Tx, access: Access, body: PresignedBody) -> Asset:
    """A new asset that waits for its bytes. Raises SpaceNotFound."""
    space = access.in_media(body.space_id)
    asset_id, filename = AssetId(new_id("ast")), clean_filename(body.filename)
    mime_type = sniff.mime_type(b"", body.mime_type, filename)
    asset = Asset(
        id=asset_id,
        space=space,
        kind=body.kind or (AssetKind.IMAGE if mime_type in IMAGE_TYPES else AssetKind.FILE),
        filename=filename,
        original_name=filename,
        tags=checked_tags(body.tags or []),
        visibility=body.visibility or default_visibility(space),
        status=AssetStatus.PENDING,
        mime_type=mime_type,
        size=body.size,
        created_by=access.caller.owner,
        sent_by=access.caller.owner,
        updated_at=time_of(asset_id),
        metadata=checked_metadata(body.metadata or {}),
    )
    await asset_store.put(tx, None, asset)
    await change_store.add_many(tx, change_store.added_by_program(tx, kinds.ASSET_CREATED, asset.space, asset.id))
    return asset


async def give_to_asset(tx: Tx, upload: Upload, sha256: str | None = None) -> Asset | None:
    """Give the bytes of the upload to its asset. If that was deleted or transferred, remove them and return None."""
    incoming = IncomingBytes(
        upload.blob_key,
        upload.received,
        upload.name or "",
        upload.mime_type,
        upload.created_by,
        sha256,
        expected_sha256=upload.checksum,
        strip_location=bool(upload.strip_location),
    )
    for asset in await asset_store.find_and_lock_known(tx, [upload.subject]):
        if asset.space == upload.space:
            return await process_later(tx, asset, incoming)
    await discard_later(tx, [upload.blob_key])
    return None


class AssetReceiver:
    """Hears from TUS about uploads for assets."""

    def __init__(self, uses: MediaUses) -> None:
        self._uses = uses

    async def started(self, tx: Tx, upload: Upload) -> None:
        """The asset stays pending, or serves its old bytes, until all have arrived."""

    async def completed(self, tx: Tx, upload: Upload) -> None:
        await give_to_asset(tx, upload)

    async def has_taken(self, tx: Tx, upload: Upload) -> bool:  # noqa: ARG002 - it is the asset's at once
        return True

    async def gone(self, tx: Tx, upload: Upload) -> None:
        """A pending asset is removed with its last upload."""
        assets = await asset_store.find_and_lock_known(tx, [upload.subject])
        pending = [asset for asset in assets if asset.status is AssetStatus.PENDING]
        if pending and not await upload_store.has_open(tx, upload.subject, besides=upload.id):
            await self._uses.end_later(tx, [asset.id for asset in pending])
            await asset_store.remove_many(tx, pending)


async def _asset_to_replace(tx: Tx, access: Access, body: PresignedBody) -> Asset:
    assert body.asset_id is not None
    asset = await asset_store.get_usable(tx, access, body.asset_id)
    if body.kind not in (None, asset.kind):
        raise ValidationFailed(f"kind: the asset is of the kind {asset.kind} and stays so.")
    if body.tags or body.metadata or body.visibility is not None or body.space_id is not None:
        raise ValidationFailed("tags, metadata, visibility and spaceId are for new assets; with assetId, omit them.")
    return asset
