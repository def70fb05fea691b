"""Assets in the database. `put` is the only way to write one: it also updates tags, counts and statistics.

Write several assets in one call: all writers then lock the shared rows (counts of tags, statistics) in the same order,
and no two wait for each other.
"""

from collections import Counter
from collections.abc import Sequence

from stowboard.core.ids import part_of
from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.media.assets import tag_store
from stowboard.media.base import stat_store
from stowboard.media.base.asset import Asset, AssetStatus
from stowboard.media.base.errors import AssetNotFound
from stowboard.media.base.media_store import MediaStore
from stowboard.media.base.stat_store import MediaStat, StatChange
from stowboard.search import index
from stowboard.search.document import SearchDocument, assets_of, describe

COLUMNS = Columns(
    Asset, "tags", "focal_point", "allowed_namespaces", "placeholder", "incoming", "metadata", "location", "poster"
)
STORE = MediaStore("asset", "ast", COLUMNS, AssetNotFound)
get, lock, find_many, find_and_lock_many = STORE.get, STORE.lock, STORE.find_many, STORE.find_and_lock_many
get_usable, find_purgeable = STORE.get_usable, STORE.find_purgeable
find, lock_known, find_and_lock_known = STORE.find, STORE.lock_known, STORE.find_and_lock_known
find_delivered, find_some, find_tagged = STORE.find_delivered, STORE.find_some, STORE.find_tagged
find_and_lock_after = STORE.find_and_lock_after


async def find_with_metadata(tx: Tx, space: str, name: str, value: str) -> Asset | None:
    """The newest asset of the space that has this pair, and is not in the trash."""
    of_pair = "SELECT asset_id FROM asset_metadata WHERE space = $1 AND name = $2 AND value = $3"
    row = await tx.one(f"{of_pair} ORDER BY asset_id DESC LIMIT 1", space, name, value)
    return await find(tx, row[0]) if row else None


async def put(tx: Tx, before: Asset | None, after: Asset, versions: Sequence[StatChange] = ()) -> None:
    """Write `after`. `before` is the asset as it was, locked by this transaction; None if it is new.

    `versions` that this transaction wrote or removed are counted too.
    """
    await put_many(tx, [(before, after)], versions)


async def put_many(tx: Tx, changes: Sequence[tuple[Asset | None, Asset]], versions: Sequence[StatChange] = ()) -> None:
    for before, after in changes:
        values = [*COLUMNS.values(after), after.incoming.key if after.incoming else None]
        names = f"{COLUMNS.names}, incoming_key"
        numbers = f"{COLUMNS.parameters}, ${len(values)}"
        if before is None:
            await tx.run(f"INSERT INTO asset ({names}) VALUES ({numbers})", *values)
        else:
            # SQLite and PostgreSQL both set a row of columns from a row of values.
            await tx.run(f"UPDATE asset SET ({names}) = ({numbers}) WHERE id = ${len(values) + 1}", *values, after.id)
    old = [pair for before, _ in changes for pair in _pairs(before)]
    await STORE.metadata.change(tx, old, [pair for _, after in changes for pair in _pairs(after)])
    await index.follow(tx, [(document_of(before), document_of(after)) for before, after in changes])
    await _count(tx, changes, versions)


async def remove_many(tx: Tx, assets: Sequence[Asset], versions: Sequence[StatChange] = ()) -> None:
    """Remove the rows; the caller releases the bytes. This transaction has locked the assets."""
    await tx.run_many("DELETE FROM asset WHERE id = $1", [(asset.id,) for asset in assets])
    await index.follow(tx, [(document_of(asset), None) for asset in assets])
    await _count(tx, [(asset, None) for asset in assets], versions)


async def _count(tx: Tx, changes: Sequence[tuple[Asset | None, Asset | None]], versions: Sequence[StatChange]) -> None:
    """Update tags and statistics. Many writers share these rows, so all are written at once, and last."""
    old = {tag for before, _ in changes for tag in _tags(before)}
    wanted = {tag for _, after in changes for tag in _tags(after)}
    await STORE.tags.change(tx, old, wanted)
    counts = Counter((space, tag, part_of(asset_id)) for space, tag, asset_id in wanted)
    counts.subtract((space, tag, part_of(asset_id)) for space, tag, asset_id in old)
    await tag_store.change_counts(tx, counts)
    await stat_store.change_many(tx, [*((_stat(before), _stat(after)) for before, after in changes), *versions])


def _tags(asset: Asset | None) -> set[tuple[str, str, str]]:
    """Space, tag and id for each tag; none for an asset that is pending or in the trash."""
    if asset is None or asset.status is AssetStatus.PENDING or asset.trashed_at is not None:
        return set()
    return {(asset.space, tag, asset.id) for tag in asset.tags}


def _pairs(asset: Asset | None) -> set[tuple[str, ...]]:
    """Space, name, value and id for each pair of the metadata; none for an asset in the trash."""
    if asset is None or asset.trashed_at is not None:
        return set()
    return {(asset.space, *pair, asset.id) for pair in asset.metadata.items()}


def _stat(asset: Asset | None) -> MediaStat | None:
    if asset is None:
        return None
    told = ("asset", asset.kind, asset.status) if asset.trashed_at is None else ("trash", "asset", "")
    resource, kind, status = told
    return MediaStat(resource, asset.id, asset.space, kind, status, _shares(asset))


def _shares(asset: Asset) -> list[tuple[str, int]]:
    """The senders of bytes that are served and of bytes that wait to be processed. Announced ones count as uploads."""
    served = asset.blob_key is not None or asset.status is AssetStatus.READY
    shares = [(asset.sent_by, asset.size)] if served else []
    return [*shares, (asset.incoming.sent_by, asset.incoming.size)] if asset.incoming is not None else shares


def document_of(asset: Asset | None) -> SearchDocument | None:
    if asset is None or asset.trashed_at is not None:
        return None
    texts = (asset.original_name, asset.alt, asset.title and asset.filename)
    return describe(asset.id, assets_of(asset.space), asset.title or asset.filename, texts, asset.tags)
