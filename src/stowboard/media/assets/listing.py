"""Lists of assets.

Candidates come from one range of an index in the wanted order; filters that the range does not answer are checked on
them (see `db.scan`). In the order of creation, which is that of ids, the range is the first that applies of: checksums
(one range each), the pair of metadata, the rarest tag, the status, the kind, all assets. In other orders it is that of
a status other than ready, or all assets.

Words are looked up in the index of search, and all filters are checked on its matches. In another order than the newest
first that takes all matches; if there are too many, the words are checked on candidates too.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

import msgspec
from msgspec.structs import replace

from stowboard.core.cursor import Position
from stowboard.core.ids import least_id
from stowboard.core.metadata import Pair
from stowboard.db.database import Tx
from stowboard.db.scan import NEWEST, IndexRange, RowPage, Scan, ScanOrder, SqlArguments, literally
from stowboard.media.assets import tag_store
from stowboard.media.assets.asset_store import COLUMNS
from stowboard.media.base.asset import Asset, AssetKind, AssetStatus, MediaVisibility
from stowboard.media.base.uses import NO_USES, MediaUses
from stowboard.search.asked import ParsedQuery, SearchType
from stowboard.search.document import ASSETS
from stowboard.search.filling import require_filled
from stowboard.search.pages import find_few, find_newest, not_empty, one_of
from stowboard.search.store import ScopedQuery
from stowboard.search.texts import matches


class AssetSort(StrEnum):
    NEWEST = "-createdAt"
    OLDEST = "createdAt"
    LAST_UPDATED = "-updatedAt"
    FIRST_UPDATED = "updatedAt"
    FILENAME = "filename"
    LARGEST = "-size"
    SMALLEST = "size"
    LAST_TAKEN = "-takenAt"
    FIRST_TAKEN = "takenAt"


class AssetFilters(msgspec.Struct, frozen=True):
    kind: AssetKind | None = None
    #: The asset has all of them.
    tags: tuple[str, ...] = ()
    #: A type, or a family of types like `image/*`; in lower case.
    mime_type: str | None = None
    visibility: MediaVisibility | None = None
    #: None is every status but pending.
    status: AssetStatus | None = None
    asked: ParsedQuery | None = None
    #: Ids of all matches of the words; None if there are too many.
    among: tuple[str, ...] | None = None
    #: Created at this time or later; created before this time.
    created_after: int | None = None
    created_before: int | None = None
    sort: AssetSort = AssetSort.NEWEST
    #: Changed at this time or later.
    updated_after: int | None = None
    #: The asset's bytes have one of these: SHA-256 in hexadecimal, each once.
    sha256: tuple[str, ...] = ()
    #: A name and its value.
    metadata: Pair | None = None
    #: No task has it attached.
    unused: bool = False


#: Each order has its own indexes.
ORDERS = {
    AssetSort.NEWEST: NEWEST,
    AssetSort.OLDEST: ScanOrder(("id",), descending=False),
    AssetSort.LAST_UPDATED: ScanOrder(("updated_at", "id"), descending=True),
    AssetSort.FIRST_UPDATED: ScanOrder(("updated_at", "id"), descending=False),
    AssetSort.FILENAME: ScanOrder(("filename", "id"), descending=False),
    AssetSort.LARGEST: ScanOrder(("size", "id"), descending=True),
    AssetSort.SMALLEST: ScanOrder(("size", "id"), descending=False),
    # Those without a date follow, newest first: see `_in_order`.
    AssetSort.LAST_TAKEN: ScanOrder(("taken_at", "id"), descending=True),
    AssetSort.FIRST_TAKEN: ScanOrder(("taken_at", "id"), descending=False),
}


#: Stands for the date in positions of assets without one.
_UNDATED = "undated"


async def list_assets(
    tx: Tx, filters: AssetFilters, after: Position | None, size: int, uses: MediaUses = NO_USES
) -> RowPage[Asset]:
    """Raises SearchNotReady."""
    if filters.asked is not None:
        return await _find_assets(tx, filters, filters.asked, after, size, uses)
    return await not_empty(tx, partial(_in_order, tx, filters, uses, size), after)


async def find_passing(
    tx: Tx, filters: AssetFilters, ids: Sequence[str], uses: MediaUses = NO_USES
) -> dict[str, Asset]:
    """The assets of these ids that pass all filters but the words, by their ids."""
    arguments, among = SqlArguments(), replace(filters, among=tuple(ids))
    told = [one_of(tx, arguments, "t.id", ids), *_conditions(tx, arguments, among, uses), *_unlisted(filters)]
    rows = await tx.all(f"SELECT {COLUMNS.names} FROM asset AS t WHERE {' AND '.join(told)}", *arguments.values)
    return {asset.id: asset for asset in COLUMNS.read_all(rows)}


async def _find_assets(
    tx: Tx, filters: AssetFilters, asked: ParsedQuery, after: Position | None, size: int, uses: MediaUses
) -> RowPage[Asset]:
    await require_filled(tx, [SearchType.ASSET])
    if SearchType.ASSET not in asked.types or asked.due:
        return RowPage([], None)
    wanted = ScopedQuery(asked, (ASSETS,))
    if filters.sort is AssetSort.NEWEST:
        return await find_newest(tx, wanted, partial(find_passing, tx, filters, uses=uses), after, size)
    few = await find_few(tx, wanted)
    among = replace(filters, among=None if few is None else tuple(few))
    return await not_empty(tx, partial(_in_order, tx, among, uses, size), after)


async def _in_order(
    tx: Tx, filters: AssetFilters, uses: MediaUses, size: int, after: Position | None
) -> RowPage[Asset]:
    """A page. In the order of `takenAt`, assets without a date come last, newest first."""
    if not _is_by_date(filters):
        return await _page(tx, filters, uses, size, after)
    dated: RowPage[Asset] = RowPage([], None)
    if after is None or after[0] != _UNDATED:
        dated = await _page(tx, filters, uses, size, after)
        after = (_UNDATED,)
    left = size - len(dated.items)
    if dated.end is not None or left == 0:
        return RowPage(dated.items, dated.end or (_UNDATED,))
    newest = replace(filters, sort=AssetSort.NEWEST)
    others = await _page(tx, newest, uses, left, after[1:] or None, ("t.taken_at IS NULL",))
    return RowPage([*dated.items, *others.items], (_UNDATED, *others.end) if others.end is not None else None)


async def _page(
    tx: Tx, filters: AssetFilters, uses: MediaUses, size: int, after: Position | None, besides: Sequence[str] = ()
) -> RowPage[Asset]:
    arguments = SqlArguments()
    ranges, rest = await _narrowed(tx, arguments, filters)
    conditions = [*_conditions(tx, arguments, rest, uses), *besides]
    if ranges[0].table == "asset_metadata" or filters.among is not None:  # whose rows do not have the status
        conditions += _unlisted(filters)
    scan = Scan(
        columns=COLUMNS.fields,
        read=COLUMNS.read_all,
        ranges=ranges,
        order=ORDERS[filters.sort],
        table="asset",
        conditions=tuple(conditions),
    )
    return await scan.page(tx, arguments, after, size)


async def _narrowed(
    tx: Tx, arguments: SqlArguments, filters: AssetFilters
) -> tuple[tuple[IndexRange, ...], AssetFilters]:
    """Ranges, and the filters that they do not answer."""
    if filters.among is not None:
        return (IndexRange("asset", (one_of(tx, arguments, "id", filters.among),)),), filters
    if ORDERS[filters.sort].names != ("id",):
        return _whole(arguments, filters)
    rest = replace(filters, created_after=None, created_before=None)
    if filters.sha256:
        created = _created(arguments, "id", filters)
        same = [("sha256 IS NOT NULL", f"sha256 = {arguments.add(one)}", *created) for one in filters.sha256]
        return tuple(IndexRange("asset", conditions) for conditions in same), replace(rest, sha256=())
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        created = _created(arguments, "asset_id", filters)
        pair = IndexRange("asset_metadata", (f"name = {name}", f"value = {value}", *created), id="asset_id")
        return (pair,), replace(rest, metadata=None)
    if filters.tags and filters.status is not AssetStatus.PENDING:  # whose tags are not indexed
        tag = await tag_store.rarest(tx, filters.tags)
        others = tuple(other for other in filters.tags if other != tag)
        created = _created(arguments, "asset_id", filters)
        tagged = IndexRange("asset_tag", (f"tag = {arguments.add(tag)}", *created), id="asset_id")
        return (tagged,), replace(rest, tags=others)
    created = _created(arguments, "id", filters)
    if filters.status is not None:
        return (IndexRange("asset", (f"status = {arguments.add(filters.status)}", *created)),), replace(
            rest, status=None
        )
    if filters.kind is not None:
        created.append(f"kind = {arguments.add(filters.kind)}")
    return (IndexRange("asset", ("status <> 'pending'", *created)),), replace(rest, kind=None)


def _whole(arguments: SqlArguments, filters: AssetFilters) -> tuple[tuple[IndexRange, ...], AssetFilters]:
    """All assets, or those of a status other than ready. Conditions repeat the words of the partial indexes."""
    since = _has_a_place(filters)
    if filters.updated_after is not None and ORDERS[filters.sort].names[0] == "updated_at":
        since = [f"updated_at >= {arguments.add(filters.updated_after)}"]
        filters = replace(filters, updated_after=None)
    if filters.status in (None, AssetStatus.READY):
        return (IndexRange("asset", ("status <> 'pending'", *since)),), filters
    unready = IndexRange("asset", ("status <> 'ready'", f"status = {arguments.add(filters.status)}", *since))
    return (unready,), replace(filters, status=None)


def created_between(
    arguments: SqlArguments, prefix: str, column: str, after_ms: int | None, before_ms: int | None
) -> list[str]:
    """Conditions on a column of ids with this prefix: created at `after_ms` or later, and before `before_ms`."""
    bounds = ((">=", after_ms), ("<", before_ms))
    return [f"{column} {sign} {arguments.add(least_id(prefix, at_ms))}" for sign, at_ms in bounds if at_ms is not None]


def _created(arguments: SqlArguments, asset_id: str, filters: AssetFilters) -> list[str]:
    return created_between(arguments, "ast", asset_id, filters.created_after, filters.created_before)


def _has_a_place(filters: AssetFilters) -> list[str]:
    """Assets without a date are not in the index of dates."""
    return ["taken_at IS NOT NULL"] if _is_by_date(filters) else []


def _is_by_date(filters: AssetFilters) -> bool:
    return ORDERS[filters.sort].names[0] == "taken_at"


def _unlisted(filters: AssetFilters) -> list[str]:
    """Conditions that leave out pending assets, unless they are wanted, and those that are not in the order."""
    pending = ["t.status <> 'pending'"] if filters.status is None else []
    return [*pending, *(f"t.{condition}" for condition in _has_a_place(filters))]


def _conditions(tx: Tx, arguments: SqlArguments, filters: AssetFilters, uses: MediaUses) -> list[str]:
    """Conditions on an asset `t`, but for that of `among`."""
    equal = {"kind": filters.kind, "status": filters.status, "visibility": filters.visibility}
    conditions = [f"t.{name} = {arguments.add(value)}" for name, value in equal.items() if value is not None]
    conditions += _created(arguments, "t.id", filters)
    if filters.sha256:
        conditions.append(f"t.sha256 IN ({', '.join(map(arguments.add, filters.sha256))})")
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
    if filters.unused:
        conditions.append(uses.unused("t.id"))
    if filters.asked is not None:
        conditions += [f"t.status = {arguments.add(status)}" for status in filters.asked.statuses]
        conditions += [f"t.status <> {arguments.add(status)}" for status in filters.asked.not_statuses]
        conditions += [] if filters.among is not None else [matches(tx.dialect, arguments, filters.asked, "t.id")]
    return conditions


def _has_tag(arguments: SqlArguments, tag: str) -> str:
    """Looks into the JSON of the row: `["a","b"]` has `,"a"` once its bracket is a comma. No tag has a comma."""
    tags, member = "',' || substr(t.tags, 2)", arguments.add("," + msgspec.json.encode(tag).decode())
    return f"replace({tags}, {member}, '') <> {tags}"
