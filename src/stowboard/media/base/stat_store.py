"""Numbers and sizes of assets and videos, counted with every change, so that nobody has to read all rows.

Each figure is the sum of parts, so that writers seldom wait for each other.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from stowboard.core.ids import part_of
from stowboard.db.database import Tx

#: Resource, space, kind, status and part.
_Row: TypeAlias = tuple[str, str, str, str, int]
#: The key and the size of a blob.
MadeFile: TypeAlias = tuple[str, int]
#: These can be deleted without a loss that anybody would see.
_SPARE = ("trash", "version")


class MediaStat(NamedTuple):
    """The figures of one resource: `asset`, `video`, `version`, or `trash`."""

    resource: str
    id: str
    space: str
    kind: str
    status: str
    #: Its bytes, each number with the owner whose quota they use.
    shares: Sequence[tuple[str, int]]


#: As it was and as it is; None is a resource that does not exist.
StatChange: TypeAlias = tuple[MediaStat | None, MediaStat | None]


async def change_many(tx: Tx, changes: Sequence[StatChange]) -> None:
    """Count changes. Many writers share these rows: call it last."""
    counts: Counter[_Row] = Counter()
    sizes: Counter[_Row] = Counter()
    owned: Counter[tuple[str, int]] = Counter()
    spare: Counter[tuple[str, int]] = Counter()
    for change in changes:
        for stat, sign in zip(change, (-1, 1), strict=True):
            if stat is not None:
                part = part_of(stat.id)
                row = stat.resource, stat.space, stat.kind, stat.status, part
                counts[row] += sign
                for owner, size in stat.shares:
                    sizes[row] += sign * size
                    owned[owner, part] += sign * size
                    spare[owner, part] += sign * size if stat.resource in _SPARE else 0
    if changed := sorted(row for row in counts if counts[row] or sizes[row]):
        await tx.run_many(
            "INSERT INTO media_stat_part (resource, space, kind, status, part, count, bytes)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7)"
            " ON CONFLICT (space, resource, kind, status, part) DO UPDATE"
            " SET count = media_stat_part.count + excluded.count, bytes = media_stat_part.bytes + excluded.bytes",
            [(*row, counts[row], sizes[row]) for row in changed],
        )
    if grown := sorted((*part, owned[part], spare[part]) for part in owned if part[0] and (owned[part] or spare[part])):
        await tx.run_many(
            "INSERT INTO media_usage_part (owner, part, bytes, spare) VALUES ($1, $2, $3, $4)"
            " ON CONFLICT (owner, part) DO UPDATE"
            " SET bytes = media_usage_part.bytes + excluded.bytes, spare = media_usage_part.spare + excluded.spare",
            grown,
        )


async def count_made(tx: Tx, kind: str, gone: Sequence[MadeFile], new: Sequence[MadeFile] = ()) -> None:
    """Count files that were made of others: a `class` or a `rendition`. Call it once, after all other counts."""
    before, after = ([MediaStat("made", key, "", kind, "", [("", size)]) for key, size in some] for some in (gone, new))
    await change_many(tx, [*((stat, None) for stat in before), *((None, stat) for stat in after)])


async def used(tx: Tx, owner: str | None = None) -> int:
    """The bytes of all assets, videos and open uploads, or of those that one owner sent."""
    return await _usage(tx, "bytes", owner) + await uploading(tx, owner=owner)


async def spare_of(tx: Tx, owner: str | None) -> int:
    """How many of these bytes are versions or in the trash: of one owner, or of all."""
    return await _usage(tx, "spare", owner)


async def uploading(tx: Tx, *, owner: str | None = None, space: str | None = None) -> int:
    """The bytes of open uploads, of all or of one owner or space: what was announced, or has arrived if that is more.

    The parts of an upload count only if they have more bytes than the upload announced.
    """
    told = {"created_by": owner, "space": space}
    given = [(column, value) for column, value in told.items() if value is not None]
    whose = "".join(f" AND u.{column} = ${number}" for number, (column, _) in enumerate(given, 1))
    row = await tx.one(_UPLOADING.format(whose=whose), *[value for _, value in given])
    return int(row[0]) if row is not None else 0


async def has_media(tx: Tx, name: str) -> bool:
    """True if media is in the space of this name, whatever the case of its letters. `name` is in lower case."""
    sql = "SELECT 1 FROM media_stat_part WHERE lower(space) = $1 AND count > 0 LIMIT 1"
    return await tx.one(sql, name) is not None


async def read(tx: Tx, space: str, resource: str) -> list[tuple[str, str, int, int]]:
    """Kind, status, count and bytes; combinations without any are left out."""
    rows = await tx.all(
        f"SELECT kind, status, CAST(SUM(count) AS BIGINT), {_SUM} FROM media_stat_part"
        " WHERE space = $1 AND resource = $2 GROUP BY kind, status HAVING SUM(count) > 0 ORDER BY kind, status",
        space, resource,
    )  # fmt: skip
    return [(kind, status, count, size) for kind, status, count, size in rows]


async def _usage(tx: Tx, column: str, owner: str | None) -> int:
    whose, values = ("", ()) if owner is None else (" WHERE owner = $1", (owner,))
    row = await tx.one(f"SELECT COALESCE(CAST(SUM({column}) AS BIGINT), 0) FROM media_usage_part{whose}", *values)
    return int(row[0]) if row is not None else 0


_SUM = "COALESCE(CAST(SUM(bytes) AS BIGINT), 0)"
_UPLOADING = """
SELECT COALESCE(CAST(SUM(CASE WHEN parts > whole THEN parts ELSE whole END) AS BIGINT), 0) FROM (
    SELECT SUM(CASE WHEN purpose = 'part' THEN size ELSE 0 END) AS parts,
           SUM(CASE WHEN purpose = 'part' THEN 0 ELSE size END) AS whole
    FROM (
        SELECT u.purpose, CASE WHEN u.purpose = 'part' THEN u.subject ELSE u.id END AS upload_id,
               CASE WHEN u.length > u.received THEN u.length ELSE u.received END AS size
        FROM upload AS u
        WHERE (u.state = 'open' OR (u.state = 'complete' AND u.purpose = 'part')){whose}
    ) AS each_upload
    GROUP BY upload_id
) AS whole_uploads
"""
