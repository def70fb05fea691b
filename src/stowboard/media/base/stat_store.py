"""Numbers and sizes of assets and videos, counted with every change, so that nobody has to read all rows."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from stowboard.db.database import Tx

#: Kind, status, size and owner of one resource.
Stat: TypeAlias = tuple[str, str, int, str]


async def change(tx: Tx, resource: str, before: Stat | None, after: Stat | None) -> None:
    """Count one change; None is a resource that does not exist. Many writers share these rows: call it last."""
    await change_many(tx, resource, [(before, after)])


async def change_many(tx: Tx, resource: str, changes: Sequence[tuple[Stat | None, Stat | None]]) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    sizes: Counter[tuple[str, str]] = Counter()
    owned: Counter[str] = Counter()
    for before, after in changes:
        for stat, sign in ((before, -1), (after, 1)):
            if stat is not None:
                kind, status, size, owner = stat
                counts[kind, status] += sign
                sizes[kind, status] += sign * size
                owned[owner] += sign * size
    changed = sorted(row for row in counts if counts[row] or sizes[row])
    if changed:
        await tx.run_many(
            "INSERT INTO media_stat (resource, kind, status, count, bytes) VALUES ($1, $2, $3, $4, $5)"
            " ON CONFLICT (resource, kind, status) DO UPDATE SET count = media_stat.count + excluded.count,"
            " bytes = media_stat.bytes + excluded.bytes",
            [(resource, kind, status, counts[kind, status], sizes[kind, status]) for kind, status in changed],
        )

    if grown := sorted((owner, size) for owner, size in owned.items() if size):
        await tx.run_many(
            "INSERT INTO media_usage (owner, bytes) VALUES ($1, $2)"
            " ON CONFLICT (owner) DO UPDATE SET bytes = media_usage.bytes + excluded.bytes",
            grown,
        )


async def used(tx: Tx) -> int:
    """The bytes of all assets, videos and open uploads."""
    row = await tx.one("SELECT COALESCE(CAST(SUM(bytes) AS BIGINT), 0) FROM media_stat")
    return (int(row[0]) if row is not None else 0) + await uploading(tx)


async def used_by(tx: Tx, owner: str) -> int:
    """The bytes of those that this owner made."""
    row = await tx.one("SELECT bytes FROM media_usage WHERE owner = $1", owner)
    return (int(row[0]) if row is not None else 0) + await uploading(tx, owner)


async def uploading(tx: Tx, owner: str | None = None) -> int:
    """The bytes of open uploads, of all owners or of one: what was announced, or has arrived if that is more.

    Parts count as far as they pass what the upload they belong to announced. A pending asset counts by itself.
    """
    whose = "" if owner is None else " AND u.created_by = $1"
    row = await tx.one(_UPLOADING.format(whose=whose), *([] if owner is None else [owner]))
    return int(row[0]) if row is not None else 0


async def read(tx: Tx, resource: str) -> list[tuple[str, str, int, int]]:
    """Kind, status, count and bytes; combinations without any are left out."""
    rows = await tx.all(
        "SELECT kind, status, count, bytes FROM media_stat WHERE resource = $1 AND count > 0"
        " ORDER BY kind, status",
        resource,
    )  # fmt: skip
    return [(kind, status, count, size) for kind, status, count, size in rows]


_UPLOADING = """
SELECT COALESCE(CAST(SUM(CASE WHEN parts > whole THEN parts ELSE whole END - counted) AS BIGINT), 0) FROM (
    SELECT SUM(CASE WHEN purpose = 'part' THEN size ELSE 0 END) AS parts,
           SUM(CASE WHEN purpose = 'part' THEN 0 ELSE size END) AS whole,
           SUM(counted) AS counted
    FROM (
        SELECT u.purpose, CASE WHEN u.purpose = 'part' THEN u.subject ELSE u.id END AS upload_id,
               CASE WHEN u.length > u.received THEN u.length ELSE u.received END AS size,
               COALESCE(a.size, 0) AS counted
        FROM upload AS u LEFT JOIN asset AS a ON a.id = u.subject AND a.status = 'pending'
        WHERE (u.state = 'open' OR (u.state = 'complete' AND u.purpose = 'part')){whose}
    ) AS each_upload
    GROUP BY upload_id
) AS whole_uploads
"""
