"""How many assets have a tag, counted as they change. Assets that are pending do not count."""

from collections import Counter
from collections.abc import Sequence

from stowboard.db.database import Tx


async def change_counts(tx: Tx, changes: Counter[str]) -> None:
    """In one order for all, so that two writers never wait for each other."""
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


async def counts_after(tx: Tx, after: str, limit: int) -> list[tuple[str, int]]:
    """Tags with their number of assets, in the order of tags."""
    rows = await tx.all("SELECT tag, count FROM asset_tag_count WHERE tag > $1 ORDER BY tag LIMIT $2", after, limit)
    return [(tag, count) for tag, count in rows]


async def rarest(tx: Tx, tags: Sequence[str]) -> str:
    """The tag of the fewest assets; one that none has, if there is one."""
    numbers = ", ".join(f"${n + 1}" for n in range(len(tags)))
    rows = await tx.all(f"SELECT tag, count FROM asset_tag_count WHERE tag IN ({numbers})", *tags)
    counts: dict[str, int] = {row[0]: row[1] for row in rows}
    return min(tags, key=lambda tag: counts.get(tag, 0))
