"""Numbers of assets by tag, counted with every change. Pending assets do not count."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.db.scan import IndexRange, RowPage, Scan, ScanOrder, SqlArguments


class AssetTagCount(msgspec.Struct, frozen=True):
    tag: str
    count: int


_COUNTS = Columns(AssetTagCount)
#: A lower bound for the first page too, so that the plan is a range and not a scan.
_BEFORE_ALL = ("",)


async def change_counts(tx: Tx, changes: Counter[str]) -> None:
    """All writers go in the same order, so that no two wait for each other."""
    changed = sorted((tag, change) for tag, change in changes.items() if change)
    if changed:
        await tx.run_many(
            "INSERT INTO asset_tag_count (tag, count) VALUES ($1, $2)"
            " ON CONFLICT (tag) DO UPDATE SET count = asset_tag_count.count + excluded.count",
            changed,
        )
    gone = [(tag,) for tag, change in changed if change < 0]
    if gone:
        await tx.run_many("DELETE FROM asset_tag_count WHERE tag = $1 AND count = 0", gone)


async def list_counts(tx: Tx, after: Position | None, size: int) -> RowPage[AssetTagCount]:
    """Tags with their number of assets, in the order of tags."""
    scan = Scan(
        _COUNTS.fields, _COUNTS.read_all, (IndexRange("asset_tag_count"),), ScanOrder(("tag",), descending=False)
    )
    return await scan.page(tx, SqlArguments(), after or _BEFORE_ALL, size)


async def count_of(tx: Tx, tag: str) -> int:
    row = await tx.one("SELECT count FROM asset_tag_count WHERE tag = $1", tag)
    return int(row[0]) if row is not None else 0


async def rarest(tx: Tx, tags: Sequence[str]) -> str:
    """The tag that the fewest assets have, or none."""
    numbers = ", ".join(f"${n + 1}" for n in range(len(tags)))
    rows = await tx.all(f"SELECT tag, count FROM asset_tag_count WHERE tag IN ({numbers})", *tags)
    counts: dict[str, int] = {row[0]: row[1] for row in rows}
    return min(tags, key=lambda tag: counts.get(tag, 0))
