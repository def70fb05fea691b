"""Lists of assets and of videos: the filters and the search that both have.

Candidates come from ranges of an index in the wanted order, one for each space; filters that the range
does not answer are checked on them (see `db.scan`).

Words are looked up in the index of search, and all filters are checked on its matches. Any order but newest first needs
all matches; if there are too many, the list goes through candidates, and checks the words on them too.

What is in the trash is only in the list of the trash, which has no filters.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from stowboard.core.cursor import Position
from stowboard.core.errors import InvalidParameter
from stowboard.core.ids import least_id
from stowboard.core.metadata import Pair
from stowboard.core.reach import ALL, LIBRARY
from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.db.scan import NEWEST, IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.media.base.asset import MediaVisibility
from stowboard.search.asked import ParsedQuery, SearchType
from stowboard.search.filling import require_filled
from stowboard.search.pages import MOST_PAGES, find_few, find_newest, not_empty, one_of
from stowboard.search.store import ScopedQuery
from stowboard.search.texts import matches


class MediaFilters(msgspec.Struct, frozen=True, kw_only=True):
    #: The owners in whose spaces to look.
    spaces: tuple[str, ...] = (LIBRARY,)
    sort: StrEnum
    status: StrEnum | None = None
    #: What is listed has all of these tags.
    tags: tuple[str, ...] = ()
    visibility: MediaVisibility | None = None
    #: A name and its value.
    metadata: Pair | None = None
    asked: ParsedQuery | None = None
    #: Ids of all matches of the words; None if there are too many.
    among: tuple[str, ...] | None = None
    #: Created at this time or later; created before this time.
    created_after: int | None = None
    created_before: int | None = None
    #: Changed at this time or later.
    updated_after: int | None = None


F = TypeVar("F", bound=MediaFilters)
M = TypeVar("M", bound=msgspec.Struct)


def cursor_binding(filters: F, word: str | None, owner: str) -> F:
    """The filters that a cursor is bound to. With `all`, it stays valid when the caller joins or leaves a space."""
    return replace(filters, spaces=(ALL, owner)) if word == ALL else filters


#: The order of the trash: what was put there last comes first.
_TRASH_ORDER = ScanOrder(("trashed_at", "id"), descending=True)
#: The conditions of the partial indexes of all other lists.
_LISTED = "trashed_at IS NULL"


class TrashFilter(StrEnum):
    """The value of `trashed` that lists the trash."""

    ONLY = "only"


Trashed = Annotated[
    TrashFilter, Meta(description="`only`: what is in the trash, the last that was put there first. No other filters.")
]


def require_alone(query: msgspec.Struct) -> None:
    """Raises InvalidParameter if a query for the trash has other filters."""
    for field in msgspec.structs.fields(query):
        if field.name not in _WITH_TRASH and getattr(query, field.name) != field.default:
            raise InvalidParameter(f"{field.encode_name}: the trash is listed without filters; leave it out.")


_WITH_TRASH = ("trashed", "space_id", "limit", "cursor")
#: Stands for the missing value in the position of a row without one.
_LACKING = "lacking"


class MediaListing(Generic[F, M]):
    """The lists of one table, in one transaction. A subclass names the table, and adds filters of its own."""

    table: ClassVar[str]
    id_prefix: ClassVar[str]
    search_type: ClassVar[SearchType]
    #: Each order has its own indexes.
    orders: ClassVar[Mapping[Any, ScanOrder]]
    #: The one column of an order that may be NULL. Its index leaves out rows in which it is NULL.
    optional: ClassVar[str]
    columns: Columns[M]

    def __init__(self, tx: Tx) -> None:
        self.tx = tx

    def scope_of(self, space: str) -> str:
        """The scope of search of a space."""
        raise NotImplementedError

    async def list_page(self, filters: F, after: Position | None, size: int) -> RowPage[M]:
        """A page is empty only if nothing follows, unless words are looked for. Raises SearchNotReady."""
        if (asked := filters.asked) is not None:
            await require_filled(self.tx, [self.search_type])
            if self.search_type not in asked.types or asked.due:
                return RowPage([], None)
            wanted = ScopedQuery(asked, tuple(map(self.scope_of, filters.spaces)))
            if self.orders[filters.sort] is NEWEST:
                return await find_newest(self.tx, wanted, partial(self.find_passing, filters), after, size)
            few = await find_few(self.tx, wanted)
            filters = replace(filters, among=None if few is None else tuple(few))
        most_pages = None if asked is None else MOST_PAGES
        return await not_empty(self.tx, partial(self.in_order, filters, size), after, most_pages)

    async def list_trash(self, spaces: Sequence[str], after: Position | None, size: int) -> RowPage[M]:
        """The trash of these spaces."""
        arguments = SqlArguments()
        ranges = tuple(
            IndexRange(self.table, (f"space = {arguments.add(space)}", "trashed_at IS NOT NULL")) for space in spaces
        )
        scan = Scan(self.columns.fields, self.columns.read_all, ranges, _TRASH_ORDER, self.table)
        return await scan.page(self.tx, arguments, after, size)

    async def find_passing(self, filters: F, ids: Sequence[str]) -> dict[str, M]:
        """The rows with these ids that pass all filters except the words, by id."""
        arguments, among = SqlArguments(), replace(filters, among=tuple(ids))
        conditions = [
            one_of(self.tx, arguments, "t.id", ids),
            self.in_spaces(arguments, filters, "t.space"),
            *self.conditions(arguments, among),
            *self.unlisted(filters),
        ]
        sql = f"SELECT {self.columns.names} FROM {self.table} AS t WHERE {' AND '.join(conditions)}"
        rows = await self.tx.all(sql, *arguments.values)
        number = self.columns.fields.index("id")
        return {row[number]: self.columns.read(row) for row in rows}

    async def in_order(self, filters: F, size: int, after: Position | None) -> RowPage[M]:
        """A page. In the order of the optional column, rows without a value come last, newest first."""
        if not self.has_a_place(filters):
            return await self.page(filters, size, after)
        placed: RowPage[M] = RowPage([], None)
        if after is None or after[0] != _LACKING:
            placed = await self.page(filters, size, after)
            after = (_LACKING,)
        left = size - len(placed.items)
        if placed.end is not None or left == 0:
            return RowPage(placed.items, placed.end or (_LACKING,))
        newest = replace(filters, sort=next(sort for sort, order in self.orders.items() if order is NEWEST))
        others = await self.page(newest, left, after[1:] or None, f"t.{self.optional} IS NULL")
        return RowPage([*placed.items, *others.items], (_LACKING, *others.end) if others.end is not None else None)

    def has_a_place(self, filters: F) -> list[str]:
        """The condition of the optional column's index, if the order is that column's."""
        return [f"{self.optional} IS NOT NULL"] if self.orders[filters.sort].names[0] == self.optional else []

    async def page(self, filters: F, size: int, after: Position | None, *besides: str) -> RowPage[M]:
        arguments = SqlArguments()
        ranges, rest = await self.narrowed(arguments, filters)
        conditions = [*self.conditions(arguments, rest), *besides]
        if ranges[0].table == f"{self.table}_metadata" or filters.among is not None:  # these have unlisted rows too
            conditions += self.unlisted(filters)
        scan = Scan(
            columns=self.columns.fields,
            read=self.columns.read_all,
            ranges=ranges,
            order=self.orders[filters.sort],
            table=self.table,
            conditions=tuple(conditions),
        )
        return await scan.page(self.tx, arguments, after, size)

    async def narrowed(self, arguments: SqlArguments, filters: F) -> tuple[tuple[IndexRange, ...], F]:
        """Ranges, and the filters that they do not answer."""
        raise NotImplementedError

    def unlisted(self, filters: F) -> list[str]:
        """Conditions that leave out rows in the trash, and those that have no place in the order."""
        return [f"t.{condition}" for condition in (_LISTED, *self.has_a_place(filters))]

    def conditions(self, arguments: SqlArguments, filters: F) -> list[str]:
        """The conditions on a row `t`, except that of `among`."""
        equal = {"status": filters.status, "visibility": filters.visibility}
        conditions = [f"t.{name} = {arguments.add(value)}" for name, value in equal.items() if value is not None]
        conditions += self.created(arguments, "t.id", filters)
        conditions += [_has_tag(arguments, tag) for tag in filters.tags]
        if filters.metadata is not None:
            name, value = map(arguments.add, filters.metadata)
            conditions.append(
                f"EXISTS (SELECT 1 FROM {self.table}_metadata AS m WHERE m.space = t.space AND m.name = {name}"
                f" AND m.value = {value} AND m.{self.table}_id = t.id LIMIT 1 OFFSET 0)"
            )
        if filters.updated_after is not None:
            conditions.append(f"t.updated_at >= {arguments.add(filters.updated_after)}")
        if filters.asked is not None:
            conditions += [f"t.status = {arguments.add(status)}" for status in filters.asked.statuses]
            conditions += [f"t.status <> {arguments.add(status)}" for status in filters.asked.not_statuses]
            if filters.among is None:
                conditions.append(matches(self.tx.dialect, arguments, filters.asked, "t.id"))
        return conditions

    def created(self, arguments: SqlArguments, column: str, filters: F) -> list[str]:
        """Conditions on a column of ids: created at `created_after` or later, and before `created_before`."""
        bounds = ((">=", filters.created_after), ("<", filters.created_before))
        return [
            f"{column} {sign} {arguments.add(least_id(self.id_prefix, at_ms))}"
            for sign, at_ms in bounds
            if at_ms is not None
        ]

    def in_spaces(self, arguments: SqlArguments, filters: F, column: str = "space") -> str:
        """The condition that a row is in one of the spaces."""
        return f"{column} IN ({', '.join(map(arguments.add, filters.spaces))})"

    def each_space(self, arguments: SqlArguments, filters: F, *conditions: str) -> tuple[IndexRange, ...]:
        """A range for each space."""
        return tuple(
            IndexRange(self.table, (f"space = {arguments.add(space)}", _LISTED, *conditions))
            for space in filters.spaces
        )

    def of_ids(self, arguments: SqlArguments, filters: F, ids: Sequence[str]) -> tuple[IndexRange, ...]:
        among = one_of(self.tx, arguments, "id", ids)
        return (IndexRange(self.table, (among, self.in_spaces(arguments, filters))),)

    def with_pair(self, arguments: SqlArguments, filters: F, pair: Pair) -> tuple[IndexRange, ...]:
        name, value = map(arguments.add, pair)
        return self._beside("metadata", arguments, filters, f"name = {name}", f"value = {value}")

    def with_tag(self, arguments: SqlArguments, filters: F, tag: str) -> tuple[IndexRange, ...]:
        return self._beside("tag", arguments, filters, f"tag = {arguments.add(tag)}")

    def _beside(self, name: str, arguments: SqlArguments, filters: F, *conditions: str) -> tuple[IndexRange, ...]:
        table, subject = f"{self.table}_{name}", f"{self.table}_id"
        created = self.created(arguments, subject, filters)
        return tuple(
            IndexRange(table, (f"space = {arguments.add(space)}", *conditions, *created), id=subject)
            for space in filters.spaces
        )


def _has_tag(arguments: SqlArguments, tag: str) -> str:
    """Looks into the JSON of the row: `["a","b"]` has `,"a"` once its bracket is a comma. No tag has a comma."""
    tags, member = "',' || substr(t.tags, 2)", arguments.add("," + msgspec.json.encode(tag).decode())
    return f"replace({tags}, {member}, '') <> {tags}"
