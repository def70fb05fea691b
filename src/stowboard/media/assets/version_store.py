"""Versions of assets: bytes that an asset had before they were replaced, with the facts that were found in them.

A version is a row that has its content, as an asset has one. Its asset is locked before it is written or removed. Bytes
that are known to be damaged are not kept.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.core.reach import is_shared
from stowboard.db.database import Row, Tx
from stowboard.db.rows import Columns
from stowboard.media.base.asset import Asset, AssetStatus, ContentFacts, facts_in
from stowboard.media.base.errors import AssetVersionNotFound
from stowboard.media.base.filename import fitting_filename
from stowboard.media.base.stat_store import MediaStat, StatChange


class AssetVersion(msgspec.Struct, frozen=True, kw_only=True):
    asset_id: str
    version: int
    sha256: str
    size: int
    facts: ContentFacts
    original_name: str | None
    #: The owner whose quota it uses.
    sent_by: str
    replaced_at: int
    #: The person who replaced it.
    replaced_by: str | None


class VersionChange(NamedTuple):
    """Versions that a replacement writes and removes."""

    stats: list[StatChange]
    #: Contents that may have lost their last row.
    released: list[str]
    kept: bool


COLUMNS = Columns(AssetVersion, "facts")
_SELECT = f"SELECT {COLUMNS.names} FROM asset_version"


async def get(tx: Tx, asset: Asset, number: int) -> tuple[AssetVersion, Asset]:
    """The version, and the asset as it would be with these bytes, ready. Raises AssetVersionNotFound."""
    names = ", ".join(f"v.{name}" for name in COLUMNS.fields)
    row = await tx.one(
        f"SELECT {names}, c.blob_key, c.damaged_at FROM asset_version AS v JOIN content AS c ON c.sha256 = v.sha256"
        " WHERE v.asset_id = $1 AND v.version = $2",
        asset.id, number,
    )  # fmt: skip
    if row is None:
        raise AssetVersionNotFound
    version = COLUMNS.read(row[:-2])
    return version, _with_bytes(asset, version, row[-2:])


async def of_assets(tx: Tx, assets: Iterable[Asset]) -> dict[str, list[AssetVersion]]:
    """The versions of each asset, the last first, by the asset's id. An asset of version 1 has none."""
    ids = [asset.id for asset in assets if asset.version > 1]
    if not ids:
        return {}
    numbers = ", ".join(f"${number + 1}" for number, _ in enumerate(ids))
    rows = await tx.all(f"{_SELECT} WHERE asset_id IN ({numbers}) ORDER BY asset_id, version DESC", *ids)
    found: dict[str, list[AssetVersion]] = {}
    for version in COLUMNS.read_all(rows):
        found.setdefault(version.asset_id, []).append(version)
    return found


async def find_surplus(tx: Tx, before: Asset, keep: int) -> list[AssetVersion]:
    """The versions to remove when the asset's bytes are replaced, so that at most `keep` are left."""
    if before.version <= keep:
        return []
    sql = f"{_SELECT} WHERE asset_id = $1 ORDER BY version DESC LIMIT 1000 OFFSET $2"
    return COLUMNS.read_all(await tx.all(sql, before.id, max(0, keep - 1)))


async def replace(tx: Tx, before: Asset, after: Asset, surplus: Sequence[AssetVersion], keep: int) -> VersionChange:
    """Keep the bytes of `before` as a version, and remove the surplus. This transaction has locked the contents."""
    stats = await remove(tx, before, surplus)
    released = [version.sha256 for version in surplus]
    if before.sha256 is None or before.damaged_at is not None or keep == 0:
        return VersionChange(stats, [*released, *([before.sha256] if before.sha256 is not None else [])], kept=False)
    version = AssetVersion(
        asset_id=before.id,
        version=before.version,
        sha256=before.sha256,
        size=before.size,
        facts=ContentFacts(**facts_in(before)),
        original_name=before.original_name,
        sent_by=before.sent_by,
        replaced_at=after.updated_at,
        replaced_by=None if is_shared(after.sent_by) else after.sent_by,
    )
    await tx.run(f"INSERT INTO asset_version ({COLUMNS.names}) VALUES ({COLUMNS.parameters})", *COLUMNS.values(version))
    return VersionChange([*stats, (None, stat_of(after, version))], released, kept=True)


async def remove(tx: Tx, asset: Asset, versions: Sequence[AssetVersion]) -> list[StatChange]:
    """Remove the rows. The caller counts them and releases the contents."""
    if versions:
        sql = "DELETE FROM asset_version WHERE asset_id = $1 AND version = $2"
        await tx.run_many(sql, [(asset.id, version.version) for version in versions])
    return [(stat_of(asset, version), None) for version in versions]


async def find_old(tx: Tx, before_ms: int, limit: int) -> list[str]:
    """Ids of assets that have versions which were replaced before this time."""
    sql = "SELECT asset_id FROM asset_version WHERE replaced_at < $1 ORDER BY replaced_at LIMIT $2"
    return [asset_id for (asset_id,) in await tx.all(sql, before_ms, limit)]


def stat_of(asset: Asset, version: AssetVersion) -> MediaStat:
    return MediaStat("version", asset.id, asset.space, asset.kind, "", [(version.sent_by, version.size)])


def _with_bytes(asset: Asset, version: AssetVersion, content: Row) -> Asset:
    key, damaged_at = content
    return msgspec.structs.replace(
        asset,
        filename=fitting_filename(asset.filename, version.facts.mime_type),
        original_name=version.original_name,
        status=AssetStatus.READY,
        error_code=None,
        error_message=None,
        sha256=version.sha256,
        blob_key=BlobKey(key),
        size=version.size,
        incoming=None,
        damaged_at=damaged_at,
        **facts_in(version.facts),
    )
