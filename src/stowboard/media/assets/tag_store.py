"""Numbers of assets by space and tag, counted with every change. Pending assets do not count.

Each number is the sum of parts, so that writers seldom wait for each other.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage, SqlArguments


class AssetTagCount(msgspec.Struct, frozen=True):
    tag: str
    count: int


async def change_counts(tx: Tx, changes: Counter[tuple[str, str, int]]) -> None:
    """By space, tag and part. All writers go in the same order, so that no two wait for each other."""
    changed = sorted((*part, change) for part, change in changes.items() if change)
    if changed:
        await tx.run_many(
            "INSERT INTO asset_tag_part (space, tag, part, count) VALUES ($1, $2, $3, $4)"
            " ON CONFLICT (space, tag, part) DO UPDATE SET count = asset_tag_part.count + excluded.count",
            changed,
        )
    gone = [(space, tag, part) for space, tag, part, change in changed if change < 0]
    if gone:
        await tx.run_many("DELETE FROM asset_tag_part WHERE space = $1 AND tag = $2 AND part = $3 AND count = 0", gone)


async def list_counts(tx: Tx, space: str, after: Position | None, size: int) -> RowPage[AssetTagCount]:
    """Tags of a space with their number of assets, in the order of tags."""
    rows = await tx.all(
        "SELECT tag, CAST(sum(count) AS BIGINT) FROM asset_tag_part WHERE space = $1 AND tag > $2"
        " GROUP BY tag ORDER BY tag LIMIT $3",
        space, after[0] if after else "", size + 1,
    )  # fmt: skip
    tags = [AssetTagCount(tag, count) for tag, count in rows[:size]]
    return RowPage(tags, (tags[-1].tag,) if len(rows) > size else None)


async def count_of(tx: Tx, space: str, tag: str) -> int:
    row = await tx.one("SELECT sum(count) FROM asset_tag_part WHERE space = $1 AND tag = $2", space, tag)
    return int(row[0]) if row is not None and row[0] is not None else 0


async def rarest(tx: Tx, spaces: Sequence[str], tags: Sequence[str]) -> str:
    """The one of these tags that the fewest assets of these spaces have; it may be that no asset has it."""
    arguments = SqlArguments()
    spaces_in, tags_in = (", ".join(map(arguments.add, some)) for some in (spaces, tags))
    rows = await tx.all(
        f"SELECT tag, sum(count) FROM asset_tag_part WHERE space IN ({spaces_in}) AND tag IN ({tags_in}) GROUP BY tag",
        *arguments.values,
    )
    counts: dict[str, int] = {row[0]: row[1] for row in rows}
    return min(tags, key=lambda tag: counts.get(tag, 0))
