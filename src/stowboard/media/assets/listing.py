"""Lists of assets.

Candidates come from one range of an index that has the wanted order; what that range does not say is checked on them:
see `db.scan`. By creation, which is the order of ids, the range is that of the checksum, else of the pair of metadata,
else of the rarest tag, else of the status, else of the kind, else of all; in the other orders it is that of a status
other than ready, else of all.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec

from stowboard.core.cursor import Position
from stowboard.core.ids import least_id
from stowboard.core.metadata import Pair
from stowboard.db.database import Tx
from stowboard.db.scan import NEWEST, Arguments, Listed, Order, Range, Scan, literally
from stowboard.media.assets import tag_store
from stowboard.media.assets.asset_store import COLUMNS
from stowboard.media.base.asset import Asset, Kind, Status, Visibility
from stowboard.media.base.uses import NO_USES, Uses


class Sort(StrEnum):
    NEWEST = "-createdAt"
    OLDEST = "createdAt"
    LAST_UPDATED = "-updatedAt"
    FIRST_UPDATED = "updatedAt"
    FILENAME = "filename"
    LARGEST = "-size"
    SMALLEST = "size"


@dataclass(frozen=True, slots=True)
class Filters:
    kind: Kind | None = None
    #: All of them.
    tags: tuple[str, ...] = ()
    #: A type, or a family of types like `image/*`; in lower case.
    mime_type: str | None = None
    visibility: Visibility | None = None
    #: None is every status but pending.
    status: Status | None = None
    text: str | None = None
    #: Created at this time or later; created before this time.
    created_after: int | None = None
    created_before: int | None = None
    sort: Sort = Sort.NEWEST
    #: Changed at this time or later.
    updated_after: int | None = None
    #: The bytes that are served: a SHA-256 in hexadecimal.
    sha256: str | None = None
    #: A name and its value.
    metadata: Pair | None = None
    #: Nobody's task has it.
    unused: bool = False


#: By these every list of assets can be ordered, and each has indexes of its own.
ORDERS = {
    Sort.NEWEST: NEWEST,
    Sort.OLDEST: Order(("id",), descending=False),
    Sort.LAST_UPDATED: Order(("updated_at", "id"), descending=True),
    Sort.FIRST_UPDATED: Order(("updated_at", "id"), descending=False),
    Sort.FILENAME: Order(("filename", "id"), descending=False),
    Sort.LARGEST: Order(("size", "id"), descending=True),
    Sort.SMALLEST: Order(("size", "id"), descending=False),
}


async def list_assets(
    tx: Tx, filters: Filters, after: Position | None, size: int, uses: Uses = NO_USES
) -> Listed[Asset]:
    arguments = Arguments()
    source, rest = await _narrowed(tx, arguments, filters)
    conditions = _conditions(arguments, rest)
    if filters.unused:
        conditions.append(uses.unused("t.id"))
    if filters.status is None and source.table == "asset_metadata":  # whose rows do not tell
        conditions.append("t.status <> 'pending'")
    scan = Scan(
        columns=COLUMNS.fields,
        read=COLUMNS.read_all,
        ranges=(source,),
        order=ORDERS[filters.sort],
        table="asset",
        conditions=tuple(conditions),
    )
    return await scan.page(tx, arguments, after, size)


async def _narrowed(tx: Tx, arguments: Arguments, filters: Filters) -> tuple[Range, Filters]:
    """A range, and the filters that it does not answer."""
    if ORDERS[filters.sort].names != ("id",):
        return _whole(arguments, filters)
    rest = replace(filters, created_after=None, created_before=None)
    if filters.sha256 is not None:
        created = _created(arguments, "id", filters)
        same = ("sha256 IS NOT NULL", f"sha256 = {arguments.add(filters.sha256)}", *created)
        return Range("asset", same), replace(rest, sha256=None)
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        created = _created(arguments, "asset_id", filters)
        pair = Range("asset_metadata", (f"name = {name}", f"value = {value}", *created), id="asset_id")
        return pair, replace(rest, metadata=None)
    if filters.tags and filters.status is not Status.PENDING:  # whose tags are not indexed
        tag = await tag_store.rarest(tx, filters.tags)
        others = tuple(other for other in filters.tags if other != tag)
        created = _created(arguments, "asset_id", filters)
        tagged = Range("asset_tag", (f"tag = {arguments.add(tag)}", *created), id="asset_id")
        return tagged, replace(rest, tags=others)
    created = _created(arguments, "id", filters)
    if filters.status is not None:
        return Range("asset", (f"status = {arguments.add(filters.status)}", *created)), replace(rest, status=None)
    if filters.kind is not None:
        created.append(f"kind = {arguments.add(filters.kind)}")
    return Range("asset", ("status <> 'pending'", *created)), replace(rest, kind=None)


def _whole(arguments: Arguments, filters: Filters) -> tuple[Range, Filters]:
    """Most assets are ready; the others have indexes of their own. Partial indexes are found by their very words."""
    since: list[str] = []
    if filters.updated_after is not None and ORDERS[filters.sort].names[0] == "updated_at":
        since = [f"updated_at >= {arguments.add(filters.updated_after)}"]
        filters = replace(filters, updated_after=None)
    if filters.status in (None, Status.READY):
        return Range("asset", ("status <> 'pending'", *since)), filters
    unready = Range("asset", ("status <> 'ready'", f"status = {arguments.add(filters.status)}", *since))
    return unready, replace(filters, status=None)


def _created(arguments: Arguments, asset_id: str, filters: Filters) -> list[str]:
    bounds = ((">=", filters.created_after), ("<", filters.created_before))
    return [f"{asset_id} {sign} {arguments.add(least_id('ast', at_ms))}" for sign, at_ms in bounds if at_ms is not None]


def _conditions(arguments: Arguments, filters: Filters) -> list[str]:
    equal = {
        "kind": filters.kind,
        "status": filters.status,
        "visibility": filters.visibility,
        "sha256": filters.sha256,
    }
    conditions = [f"t.{name} = {arguments.add(value)}" for name, value in equal.items() if value is not None]
    conditions += _created(arguments, "t.id", filters)
    conditions += [_has_tag(arguments, tag) for tag in filters.tags]
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        conditions.append(
            f"EXISTS (SELECT 1 FROM asset_metadata AS m WHERE m.name = {name} AND m.value = {value}"
            " AND m.asset_id = t.id LIMIT 1 OFFSET 0)"
        )
    if filters.mime_type is not None:
        family = filters.mime_type.endswith("/*")
        pattern = literally(filters.mime_type.removesuffix("*")) + ("%" if family else "")
        conditions.append(f"t.mime_type LIKE {arguments.add(pattern)} ESCAPE '!'")
    if filters.updated_after is not None:
        conditions.append(f"t.updated_at >= {arguments.add(filters.updated_after)}")
    if filters.text is not None:
        conditions.append(f"t.search LIKE {arguments.add(f'%{literally(filters.text.casefold())}%')} ESCAPE '!'")
    return conditions


def _has_tag(arguments: Arguments, tag: str) -> str:
    """In the JSON of the row: `["a","b"]` has `,"a"` once its bracket is a comma. No tag has a comma of its own."""
    tags, member = "',' || substr(t.tags, 2)", arguments.add("," + msgspec.json.encode(tag).decode())
    return f"replace({tags}, {member}, '') <> {tags}"
