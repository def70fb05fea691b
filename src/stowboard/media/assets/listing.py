"""Lists of assets.

In the order of creation, which is the order of ids, candidates come from the first of these ranges that applies:
checksums (one range each), the pair of metadata, the rarest tag, the status, the kind, all assets. In other orders they
come from the range of one status other than ready, or from the range of all assets.
"""

from collections.abc import Sequence
from enum import StrEnum

from msgspec.structs import replace

from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.scan import NEWEST, IndexRange, RowPage, ScanOrder, SqlArguments, literally
from stowboard.media.assets import tag_store
from stowboard.media.assets.asset_store import COLUMNS
from stowboard.media.base.asset import Asset, AssetKind, AssetStatus
from stowboard.media.base.listing import MediaFilters, MediaListing
from stowboard.media.base.uses import NO_USES, MediaUses
from stowboard.search.asked import SearchType
from stowboard.search.document import assets_of


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


class AssetFilters(MediaFilters, frozen=True, kw_only=True):
    sort: AssetSort = AssetSort.NEWEST
    #: None is every status but pending.
    status: AssetStatus | None = None
    kind: AssetKind | None = None
    #: A type, or a family of types like `image/*`; in lower case.
    mime_type: str | None = None
    #: The asset's bytes have one of these: SHA-256 in hexadecimal, each once.
    sha256: tuple[str, ...] = ()
    #: Only assets that no task has attached.
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
    AssetSort.LAST_TAKEN: ScanOrder(("taken_at", "id"), descending=True),
    AssetSort.FIRST_TAKEN: ScanOrder(("taken_at", "id"), descending=False),
}


async def list_assets(
    tx: Tx, filters: AssetFilters, after: Position | None, size: int, uses: MediaUses = NO_USES
) -> RowPage[Asset]:
    """A page is empty only if nothing follows, unless words are looked for. Raises SearchNotReady."""
    return await _AssetListing(tx, uses).list_page(filters, after, size)


async def find_passing(tx: Tx, filters: AssetFilters, ids: Sequence[str]) -> dict[str, Asset]:
    """The assets with these ids that pass all filters except the words, by id."""
    return await _AssetListing(tx, NO_USES).find_passing(filters, ids)


async def list_trashed_assets(tx: Tx, spaces: Sequence[str], after: Position | None, size: int) -> RowPage[Asset]:
    return await _AssetListing(tx, NO_USES).list_trash(spaces, after, size)


class _AssetListing(MediaListing[AssetFilters, Asset]):
    table, id_prefix, columns, orders, optional = "asset", "ast", COLUMNS, ORDERS, "taken_at"
    search_type = SearchType.ASSET

    def __init__(self, tx: Tx, uses: MediaUses) -> None:
        super().__init__(tx)
        self._uses = uses

    def scope_of(self, space: str) -> str:
        return assets_of(space)

    async def narrowed(
        self, arguments: SqlArguments, filters: AssetFilters
    ) -> tuple[tuple[IndexRange, ...], AssetFilters]:
        if filters.among is not None:
            return self.of_ids(arguments, filters, filters.among), filters
        if ORDERS[filters.sort].names != ("id",):
            return self._whole(arguments, filters)
        rest = replace(filters, created_after=None, created_before=None)
        if filters.sha256:
            among = (self.in_spaces(arguments, filters), *self.created(arguments, "id", filters))
            kept = ("sha256 IS NOT NULL", "trashed_at IS NULL")
            same = [(*kept, f"sha256 = {arguments.add(one)}", *among) for one in filters.sha256]
            return tuple(IndexRange("asset", conditions) for conditions in same), replace(rest, sha256=())
        if filters.metadata is not None:
            return self.with_pair(arguments, filters, filters.metadata), replace(rest, metadata=None)
        if filters.tags and filters.status is not AssetStatus.PENDING:  # tags of pending assets are not indexed
            tag = await tag_store.rarest(self.tx, filters.spaces, filters.tags)
            others = tuple(other for other in filters.tags if other != tag)
            return self.with_tag(arguments, filters, tag), replace(rest, tags=others)
        created = self.created(arguments, "id", filters)
        if filters.status is not None:
            of_status = self.each_space(arguments, filters, f"status = {arguments.add(filters.status)}", *created)
            return of_status, replace(rest, status=None)
        if filters.kind is not None:
            created.append(f"kind = {arguments.add(filters.kind)}")
        return self.each_space(arguments, filters, "status <> 'pending'", *created), replace(rest, kind=None)

    def _whole(self, arguments: SqlArguments, filters: AssetFilters) -> tuple[tuple[IndexRange, ...], AssetFilters]:
        """All assets, or those of a status other than ready. Conditions are worded as in the partial indexes."""
        since = self.has_a_place(filters)
        if filters.updated_after is not None and ORDERS[filters.sort].names[0] == "updated_at":
            since = [f"updated_at >= {arguments.add(filters.updated_after)}"]
            filters = replace(filters, updated_after=None)
        if filters.status in (None, AssetStatus.READY):
            return self.each_space(arguments, filters, "status <> 'pending'", *since), filters
        conditions = ("status <> 'ready'", f"status = {arguments.add(filters.status)}", *since)
        return self.each_space(arguments, filters, *conditions), replace(filters, status=None)

    def unlisted(self, filters: AssetFilters) -> list[str]:
        """Conditions that also leave out pending assets, unless a status is wanted."""
        pending = ["t.status <> 'pending'"] if filters.status is None else []
        return [*pending, *super().unlisted(filters)]

    def conditions(self, arguments: SqlArguments, filters: AssetFilters) -> list[str]:
        conditions = super().conditions(arguments, filters)
        if filters.kind is not None:
            conditions.append(f"t.kind = {arguments.add(filters.kind)}")
        if filters.sha256:
            conditions.append(f"t.sha256 IN ({', '.join(map(arguments.add, filters.sha256))})")
        if filters.mime_type is not None:
            family = filters.mime_type.endswith("/*")
            pattern = literally(filters.mime_type.removesuffix("*")) + ("%" if family else "")
            conditions.append(f"t.mime_type LIKE {arguments.add(pattern)} ESCAPE '!'")
        if filters.unused:
            conditions.append(self._uses.unused("t.id"))
        return conditions
