"""Give an asset new bytes, so that the old ones become a version; restore a version, or delete versions for good."""

from collections.abc import Sequence

import msgspec

from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.assets import asset_store, content_store, version_store
from stowboard.media.assets.describing import describe_later
from stowboard.media.assets.events import announce_asset, announce_replacement
from stowboard.media.assets.version_store import AssetVersion
from stowboard.media.base import stat_store
from stowboard.media.base.asset import Asset, AssetStatus
from stowboard.media.base.errors import ContentDamaged, ReplaceInProgress
from stowboard.media.base.storage import Storage


async def restore_version(tx: Tx, access: Access, asset_id: str, number: int, keep: int, storage: Storage) -> Asset:
    """Make the bytes of a version the asset's again, as its next version. Its present bytes become a version.

    The next version counts for the caller, as if the caller had sent its bytes.
    Raises AssetNotFound, InTrash, AssetVersionNotFound, ReplaceInProgress, InsufficientStorage or ContentDamaged.
    """
    before = await asset_store.lock(tx, access, asset_id)
    if before.status is AssetStatus.PROCESSING:
        raise ReplaceInProgress
    wanted, _ = await version_store.get(tx, before, number)
    await storage.require_room(tx, access.caller.owner, wanted.size)
    surplus = await lock_contents(tx, before, wanted.sha256, keep)
    _, then = await version_store.get(tx, before, number)  # once more: a repair moves bytes to another key
    if then.damaged_at is not None:
        raise ContentDamaged
    now = before.next_stamp()
    after = msgspec.structs.replace(
        then, version=before.version + 1, sent_by=access.caller.owner, updated_at=now, replaced_at=now
    )
    await give_bytes(tx, before, after, surplus, keep)
    return after


async def lock_contents(tx: Tx, before: Asset, sha256: str, keep: int) -> list[AssetVersion]:
    """Lock the contents that a replacement touches. Returns the versions to remove, so that `keep` are left.

    Call it before the shared counts are written: a deletion locks in the same order.
    """
    surplus = await version_store.find_surplus(tx, before, keep)
    hashes = {sha256, before.sha256 or sha256, *(version.sha256 for version in surplus)}
    await content_store.find_and_lock_many(tx, hashes)
    return surplus


async def give_bytes(tx: Tx, before: Asset, after: Asset, surplus: Sequence[AssetVersion], keep: int) -> None:
    """Write the asset with its new bytes. The bytes of `before` become a version, and the surplus goes.

    This transaction has locked the asset and the contents.
    """
    versions = await version_store.replace(tx, before, after, surplus, keep)
    await asset_store.put(tx, before, after, versions.stats)
    if before.blob_key is not None:
        await announce_replacement(tx, before, after, kept=versions.kept)
    else:
        await announce_asset(tx, kinds.ASSET_READY, after)
    if after.placeholder is None:
        await describe_later(tx, after)
    await content_store.release(tx, versions.released)


async def remove_versions(tx: Tx, versions: Sequence[tuple[Asset, Sequence[AssetVersion]]]) -> None:
    """Remove versions. Each list comes with its asset, which this transaction has locked."""
    hashes = {version.sha256 for _, some in versions for version in some}
    await content_store.find_and_lock_many(tx, hashes)
    stats = [change for asset, some in versions for change in await version_store.remove(tx, asset, some)]
    await stat_store.change_many(tx, stats)
    await content_store.release(tx, hashes)
