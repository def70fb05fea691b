"""Assets in the database. `put` is the only way to write one: it also updates tags, counts and statistics.

Write several assets in one call: all writers then lock the shared rows (counts of tags, statistics) in the same order,
and no two wait for each other.
"""

from collections import Counter
from collections.abc import Sequence

from stowboard.core.ids import is_id
from stowboard.core.metadata import changed_pairs
from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.media.assets import tag_store
from stowboard.media.assets.findable import document_of
from stowboard.media.base import stat_store
from stowboard.media.base.asset import Asset, AssetStatus
from stowboard.media.base.errors import AssetNotFound
from stowboard.search import index

COLUMNS = Columns(
    Asset, "tags", "focal_point", "allowed_namespaces", "placeholder", "incoming", "metadata", "location", "poster"
)


async def find(tx: Tx, asset_id: str) -> Asset | None:
    if not is_id("ast", asset_id):
        return None
    row = await tx.one(f"SELECT {COLUMNS.names} FROM asset WHERE id = $1", asset_id)
    return COLUMNS.read(row) if row is not None else None


async def get(tx: Tx, asset_id: str) -> Asset:
    """Raises AssetNotFound."""
    asset = await find(tx, asset_id)
    if asset is None:
        raise AssetNotFound
    return asset


async def lock(tx: Tx, asset_id: str) -> Asset:
    """The asset, locked against other writers until the transaction ends. Raises AssetNotFound."""
    if is_id("ast", asset_id):
        row = await tx.one(f"SELECT {COLUMNS.names} FROM asset WHERE id = $1 FOR UPDATE", asset_id)
        if row is not None:
            return COLUMNS.read(row)
    raise AssetNotFound


async def find_many(tx: Tx, asset_ids: Sequence[str]) -> list[Asset]:
    """Those that exist, in the order of ids."""
    return await _many(tx, asset_ids, "")


async def find_and_lock_many(tx: Tx, asset_ids: Sequence[str]) -> list[Asset]:
    """Those that exist, in the order of ids, locked against other writers."""
    return await _many(tx, asset_ids, " FOR UPDATE")


async def find_and_lock_ids(tx: Tx, ids: Sequence[str]) -> set[str]:
    """The ids that an asset has."""
    return {asset.id for asset in await find_and_lock_many(tx, ids)}


async def find_and_lock_after(tx: Tx, after: str, limit: int) -> list[Asset]:
    """The next ones in the order of ids, locked against other writers."""
    sql = f"SELECT {COLUMNS.names} FROM asset WHERE id > $1 ORDER BY id LIMIT $2 FOR UPDATE"
    return COLUMNS.read_all(await tx.all(sql, after, limit))


async def put(tx: Tx, before: Asset | None, after: Asset) -> None:
    """Write `after`. `before` is the asset as it was, locked by this transaction; None if it is new."""
    await put_many(tx, [(before, after)])


async def put_many(tx: Tx, changes: Sequence[tuple[Asset | None, Asset]]) -> None:
    for before, after in changes:
        values = [*COLUMNS.values(after), after.incoming.key if after.incoming else None]
        names = f"{COLUMNS.names}, incoming_key"
        numbers = f"{COLUMNS.parameters}, ${len(values)}"
        if before is None:
            await tx.run(f"INSERT INTO asset ({names}) VALUES ({numbers})", *values)
        else:
            # SQLite and PostgreSQL both set a row of columns from a row of values.
            await tx.run(f"UPDATE asset SET ({names}) = ({numbers}) WHERE id = ${len(values) + 1}", *values, after.id)
    await _put_metadata(tx, changes)
    await index.follow(tx, [(document_of(before), document_of(after)) for before, after in changes])
    await _count(tx, changes)


async def remove_many(tx: Tx, assets: Sequence[Asset]) -> None:
    """Remove the rows; the caller releases the bytes. This transaction has locked the assets."""
    await tx.run_many("DELETE FROM asset WHERE id = $1", [(asset.id,) for asset in assets])
    await index.follow(tx, [(document_of(asset), None) for asset in assets])
    await _count(tx, [(asset, None) for asset in assets])


async def _many(tx: Tx, asset_ids: Sequence[str], lock: str) -> list[Asset]:
    known = sorted({asset_id for asset_id in asset_ids if is_id("ast", asset_id)})
    if not known:
        return []
    numbers = ", ".join(f"${n + 1}" for n in range(len(known)))
    rows = await tx.all(f"SELECT {COLUMNS.names} FROM asset WHERE id IN ({numbers}) ORDER BY id{lock}", *known)
    return [COLUMNS.read(row) for row in rows]


async def _put_metadata(tx: Tx, changes: Sequence[tuple[Asset | None, Asset]]) -> None:
    for before, after in changes:
        gone, new = changed_pairs(before.metadata if before is not None else {}, after.metadata)
        if gone:
            sql = "DELETE FROM asset_metadata WHERE name = $1 AND value = $2 AND asset_id = $3"
            await tx.run_many(sql, [(*pair, after.id) for pair in gone])
        if new:
            sql = "INSERT INTO asset_metadata (name, value, asset_id) VALUES ($1, $2, $3)"
            await tx.run_many(sql, [(*pair, after.id) for pair in new])


async def _count(tx: Tx, changes: Sequence[tuple[Asset | None, Asset | None]]) -> None:
    """Update tags and statistics. Many writers share these rows, so all are written at once, and last."""
    old = {tag for before, _ in changes for tag in _tags(before)}
    wanted = {tag for _, after in changes for tag in _tags(after)}
    gone, new = sorted(old - wanted), sorted(wanted - old)
    if gone:
        await tx.run_many("DELETE FROM asset_tag WHERE tag = $1 AND asset_id = $2", gone)
    if new:
        await tx.run_many("INSERT INTO asset_tag (tag, asset_id) VALUES ($1, $2)", new)
    counts = Counter(tag for tag, _ in new)
    counts.subtract(tag for tag, _ in gone)
    await tag_store.change_counts(tx, counts)
    await stat_store.change_many(tx, "asset", [(_stat(before), _stat(after)) for before, after in changes])


def _tags(asset: Asset | None) -> set[tuple[str, str]]:
    """Pairs of tag and id. Tags of pending assets do not count."""
    if asset is None or asset.status is AssetStatus.PENDING:
        return set()
    return {(tag, asset.id) for tag in asset.tags}


def _stat(asset: Asset | None) -> stat_store.Stat | None:
    return (asset.kind, asset.status, asset.size, asset.created_by) if asset is not None else None
