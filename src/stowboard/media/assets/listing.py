"""Lists of assets.

A page is bounded work whatever is asked for. Candidates come from one range of an index that has the wanted order; what
that range does not say is checked on at most `SCAN` of them. Where too few pass, the page is short, and its cursor goes
on behind the candidates. By creation, which is the order of ids, the range is that of the rarest tag, else of the
status, else of the kind, else of all; in the other orders it is that of a status other than ready, else of all.

Page and last candidate come from one statement, hence one snapshot, so what others write meanwhile never makes the
cursor jump over assets that were not looked at. `OFFSET 0` keeps PostgreSQL from turning the look-ups of candidates
into a join over the whole table.

Ids never change: a walk by creation sees every asset that was listed at its start, and stays so, exactly once. The
other orders go by a value as it is at the moment of each page: an asset whose value changes during a walk may be seen
twice or not at all.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import msgspec

from stowboard.core.ids import least_id
from stowboard.db.database import Row, Tx, Value
from stowboard.media.assets import tag_store
from stowboard.media.assets.asset_store import COLUMNS
from stowboard.media.base.asset import Asset, Kind, Status, Visibility

SCAN = 1000
#: The values of an order's columns where a page ended.
Position: TypeAlias = tuple[str | int, ...]


class Sort(StrEnum):
    NEWEST = "-createdAt"
    OLDEST = "createdAt"
    LAST_UPDATED = "-updatedAt"
    FILENAME = "filename"
    LARGEST = "-size"


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


@dataclass(frozen=True, slots=True)
class Listed:
    """Assets, and where the next page begins, None at the end."""

    assets: list[Asset]
    next_after: Position | None


async def list_assets(tx: Tx, filters: Filters, after: Position | None, size: int) -> Listed:
    query, order = _Query(), _ORDERS[filters.sort]
    ranges, rest = await _narrowed(tx, query, filters, order)
    if after is not None:
        ranges.conditions.append(f"({order.columns('')}) {order.beyond} ({', '.join(query.add(v) for v in after)})")
    conditions = _conditions(query, rest)
    if conditions:
        assets, last_candidate = await _passing(tx, query, ranges, conditions, size + 1)
    else:
        rows = await tx.all(_rows(order, ranges.select(size + 1)), *query.values)
        assets, last_candidate = [COLUMNS.read(row) for row in rows], None
    return Listed(assets[:size], order.position(assets[size - 1]) if len(assets) > size else last_candidate)


class _Order(NamedTuple):
    names: tuple[str, ...]
    descending: bool

    @property
    def beyond(self) -> str:
        return "<" if self.descending else ">"

    @property
    def is_by_creation(self) -> bool:
        return self.names == ("id",)

    def columns(self, table: str) -> str:
        return ", ".join(table + name for name in self.names)

    def by(self, table: str) -> str:
        return ", ".join(f"{table}{name}{' DESC' if self.descending else ''}" for name in self.names)

    def position(self, asset: Asset) -> Position:
        return tuple(getattr(asset, name) for name in self.names)


_ORDERS = {
    Sort.NEWEST: _Order(("id",), descending=True),
    Sort.OLDEST: _Order(("id",), descending=False),
    Sort.LAST_UPDATED: _Order(("updated_at", "id"), descending=True),
    Sort.FILENAME: _Order(("filename", "id"), descending=False),
    Sort.LARGEST: _Order(("size", "id"), descending=True),
}


class _Query:
    """The parameters of one statement, numbered as they are added."""

    def __init__(self) -> None:
        self.values: list[Value] = []

    def add(self, value: Value) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


@dataclass(frozen=True, slots=True)
class _Range:
    """What candidates come from: a part of an index, in its order."""

    order: _Order
    conditions: list[str]
    table: str = "asset"

    def select(self, limit: int, skip: int = 0) -> str:
        return (
            f"SELECT {self.order.columns('')} FROM {self.table} WHERE {' AND '.join(self.conditions)}"
            f" ORDER BY {self.order.by('')} LIMIT {limit} OFFSET {skip}"
        )


_TAGGED = "(SELECT tag, asset_id AS id FROM asset_tag) AS tagged"


async def _narrowed(tx: Tx, query: _Query, filters: Filters, order: _Order) -> tuple[_Range, Filters]:
    """A range, and the filters that it does not answer."""
    if not order.is_by_creation:
        return _whole(query, filters, order)
    created = [f"id {sign} {query.add(least)}" for sign, least in _created(filters)]
    rest = replace(filters, created_after=None, created_before=None)
    if filters.tags and filters.status is not Status.PENDING:  # whose tags are not indexed
        tag = await tag_store.rarest(tx, filters.tags)
        others = tuple(other for other in filters.tags if other != tag)
        return _Range(order, [f"tag = {query.add(tag)}", *created], _TAGGED), replace(rest, tags=others)
    if filters.status is not None:
        return _Range(order, [f"status = {query.add(filters.status)}", *created]), replace(rest, status=None)
    if filters.kind is not None:
        created.append(f"kind = {query.add(filters.kind)}")
    return _Range(order, ["status <> 'pending'", *created]), replace(rest, kind=None)


def _whole(query: _Query, filters: Filters, order: _Order) -> tuple[_Range, Filters]:
    """Most assets are ready; the others have indexes of their own. Partial indexes are found by their very words."""
    if filters.status in (None, Status.READY):
        return _Range(order, ["status <> 'pending'"]), filters
    return _Range(order, ["status <> 'ready'", f"status = {query.add(filters.status)}"]), replace(filters, status=None)


def _created(filters: Filters) -> list[tuple[str, str]]:
    bounds = ((">=", filters.created_after), ("<", filters.created_before))
    return [(sign, least_id("ast", at_ms)) for sign, at_ms in bounds if at_ms is not None]


def _conditions(query: _Query, filters: Filters) -> list[str]:
    equal = {"kind": filters.kind, "status": filters.status, "visibility": filters.visibility}
    conditions = [f"a.{name} = {query.add(value)}" for name, value in equal.items() if value is not None]
    conditions += [f"a.id {sign} {query.add(least)}" for sign, least in _created(filters)]
    conditions += [_has_tag(query, tag) for tag in filters.tags]
    if filters.mime_type is not None:
        family = filters.mime_type.endswith("/*")
        pattern = _literally(filters.mime_type.removesuffix("*")) + ("%" if family else "")
        conditions.append(f"a.mime_type LIKE {query.add(pattern)} ESCAPE '!'")
    if filters.text is not None:
        conditions.append(f"a.search LIKE {query.add(f'%{_literally(filters.text.casefold())}%')} ESCAPE '!'")
    return conditions


def _has_tag(query: _Query, tag: str) -> str:
    """In the JSON of the row: `["a","b"]` has `,"a"` once its bracket is a comma. No tag has a comma of its own."""
    tags, member = "',' || substr(a.tags, 2)", query.add("," + msgspec.json.encode(tag).decode())
    return f"replace({tags}, {member}, '') <> {tags}"


def _literally(text: str) -> str:
    """The characters that LIKE means something by are meant as themselves."""
    return "".join(f"!{char}" if char in "!%_" else char for char in text)


async def _passing(
    tx: Tx, query: _Query, ranges: _Range, conditions: list[str], limit: int
) -> tuple[list[Asset], Position | None]:
    """The first candidates for which all conditions hold, and the last candidate if there may be more behind it."""
    order = ranges.order
    passing = (
        f"SELECT {order.columns('c.')} FROM ({ranges.select(SCAN)}) AS c WHERE EXISTS (SELECT 1 FROM asset AS a"
        f" WHERE a.id = c.id AND {' AND '.join(conditions)} LIMIT 1 OFFSET 0) ORDER BY {order.by('c.')} LIMIT {limit}"
    )
    last_candidate = ", ".join(name if name in order.names else "NULL" for name in COLUMNS.fields)
    rows = await tx.all(
        f"SELECT {COLUMNS.names} FROM ({_rows(order, passing)}) AS p"
        f" UNION ALL SELECT {last_candidate} FROM ({ranges.select(1, skip=SCAN - 1)}) AS e",
        *query.values,
    )
    assets = [COLUMNS.read(row) for row in rows if row[_KIND] is not None]
    last = next((_position(order, row) for row in rows if row[_KIND] is None), None)
    return sorted(assets, key=order.position, reverse=order.descending), last


_KIND = COLUMNS.fields.index("kind")


def _position(order: _Order, row: Row) -> Position:
    return tuple(row[COLUMNS.fields.index(name)] for name in order.names)


def _rows(order: _Order, ids: str) -> str:
    names = ", ".join(f"a.{name}" for name in COLUMNS.fields)
    return f"SELECT {names} FROM ({ids}) AS i JOIN asset AS a ON a.id = i.id ORDER BY {order.by('i.')}"
