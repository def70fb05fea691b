"""Pages of rows in the order of an index: every list is a scan.

The work for a page is bounded, whatever the filters are. Candidates come from ranges of indexes in the wanted order.
Conditions that an index does not cover are checked on at most `CANDIDATES` of them. If too few pass, the page is short,
and the next one begins behind the candidates.

Candidates are looked up one by one, even if PostgreSQL would prefer to join the whole table: `OFFSET 0` keeps it from
turning the subquery into a join. Page and last candidate come from one statement, hence one snapshot. So a walk never
skips rows because others write meanwhile.

In an order whose values never change, such as that of ids, a walk sees every row that exists from its start to its end
exactly once. In other orders a row whose value changes during the walk may be seen twice or not at all.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from stowboard.core.cursor import Position
from stowboard.db.database import Row, Tx, Value

T = TypeVar("T")
CANDIDATES = 1000
#: SQLite takes at most 500 SELECTs in one UNION.
_MOST_TOGETHER = 400


class ScanOrder(NamedTuple):
    """The columns to sort by, all in one direction; together they are unique."""

    names: tuple[str, ...]
    descending: bool

    @property
    def beyond(self) -> str:
        return "<" if self.descending else ">"

    def by(self, names: Sequence[str]) -> str:
        return ", ".join(f"{name} DESC" if self.descending else name for name in names)


#: Ids begin with the time at which they were made.
NEWEST = ScanOrder(("id",), descending=True)


class SqlArguments:
    """The arguments of one statement, numbered as they are added."""

    def __init__(self, *values: Value) -> None:
        self.values: list[Value] = list(values)

    def add(self, value: Value) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


class IndexRange(NamedTuple):
    """A part of an index, cut out by conditions that keep the order of the scan."""

    table: str
    conditions: tuple[str, ...] = ()
    #: The table's column for the row's id.
    id: str = "id"


class RowPage(msgspec.Struct, Generic[T], frozen=True):
    """One page, and the position behind which the next one begins, None at the end."""

    items: list[T]
    end: Position | None


class Scan(NamedTuple, Generic[T]):
    """A list: its columns, order and ranges. Each page makes a scan, and equal scans share their statement."""

    #: They include the columns of the order. The first other column is never NULL.
    columns: tuple[str, ...]
    read: Callable[[Sequence[Row]], list[T]]
    #: If there are several, each is in the scan's order, and no row is in two.
    ranges: tuple[IndexRange, ...]
    order: ScanOrder = NEWEST
    #: The table in which a candidate's columns are found by its id; None if the only range has them itself.
    table: str | None = None
    #: Conditions that the ranges do not cover, on the table as `t`.
    conditions: tuple[str, ...] = ()

    async def page(self, tx: Tx, arguments: SqlArguments, after: Position | None, size: int) -> RowPage[T]:
        """At most `size` rows: the first behind the position, or the first of the list if there is none."""
        bounds = tuple(arguments.add(value) for value in after or ())
        rows = await tx.all(_statement(self, bounds, size + 1, CANDIDATES), *arguments.values)
        last_candidate = None
        if self.conditions:
            rows, last_candidate = self._taken_apart(rows)
        end = self._position(rows[size - 1]) if len(rows) > size else last_candidate
        return RowPage(self.read(rows[:size]), end)

    def _taken_apart(self, rows: Sequence[Row]) -> tuple[Sequence[Row], Position | None]:
        """The rows that passed, and the last candidate if there may be more behind it."""
        told = next(number for number, name in enumerate(self.columns) if name not in self.order.names)
        passed = [row for row in rows if row[told] is not None]
        last_candidate = next((self._position(row) for row in rows if row[told] is None), None)
        key = itemgetter(*[self.columns.index(name) for name in self.order.names])
        return sorted(passed, key=key, reverse=self.order.descending), last_candidate

    def _position(self, row: Row) -> Position:
        return tuple([row[self.columns.index(name)] for name in self.order.names])


@lru_cache(maxsize=500)
def _statement(scan: Scan[Any], bounds: tuple[str, ...], limit: int, candidates: int) -> str:
    if scan.conditions:
        return _passing(scan, bounds, limit, candidates)
    if scan.table is not None:
        return _looked_up(scan, _candidates(scan, bounds, limit))
    return _select(scan, scan.ranges[0], scan.columns, bounds, limit)


def _passing(scan: Scan[Any], bounds: tuple[str, ...], limit: int, candidates: int) -> str:
    """The first candidates for which all conditions hold; and the last candidate's position if there may be more.

    The row of that position has NULL in every other column.
    """
    names = scan.order.names
    of_candidate = [f"c.{name}" for name in names]
    passing = (
        f"SELECT {', '.join(of_candidate)} FROM ({_candidates(scan, bounds, candidates)}) AS c WHERE EXISTS (SELECT 1"
        f" FROM {scan.table} AS t WHERE t.id = c.id AND {' AND '.join(scan.conditions)} LIMIT 1 OFFSET 0)"
        f" ORDER BY {scan.order.by(of_candidate)} LIMIT {limit}"
    )
    position = ", ".join(name if name in names else "NULL" for name in scan.columns)
    return (
        f"SELECT {', '.join(scan.columns)} FROM ({_looked_up(scan, passing)}) AS p"
        f" UNION ALL SELECT {position} FROM ({_candidates(scan, bounds, 1, skip=candidates - 1)}) AS e"
    )


def _looked_up(scan: Scan[Any], candidates: str) -> str:
    columns = ", ".join(f"t.{name}" for name in scan.columns)
    return (
        f"SELECT {columns} FROM ({candidates}) AS i JOIN {scan.table} AS t ON t.id = i.id"
        f" ORDER BY {scan.order.by([f'i.{name}' for name in scan.order.names])}"
    )


def _candidates(scan: Scan[Any], bounds: tuple[str, ...], limit: int, skip: int = 0) -> str:
    """Selects the order's columns. Each range has a SELECT of its own, so that each is read in its order."""
    names = scan.order.names
    if len(scan.ranges) == 1:
        return _select(scan, scan.ranges[0], names, bounds, limit, skip)
    columns = ", ".join(names)
    selects = [
        f"SELECT {columns} FROM ({_select(scan, one, names, bounds, skip + limit)}) AS r{number}"
        for number, one in enumerate(scan.ranges)
    ]
    while len(selects) > _MOST_TOGETHER:
        groups = [selects[start : start + _MOST_TOGETHER] for start in range(0, len(selects), _MOST_TOGETHER)]
        selects = [f"SELECT {columns} FROM ({' UNION ALL '.join(group)}) AS g" for group in groups]
    return (
        f"SELECT {columns} FROM ({' UNION ALL '.join(selects)}) AS all_ranges"
        f" ORDER BY {scan.order.by(names)} LIMIT {limit} OFFSET {skip}"
    )


def _select(
    scan: Scan[Any], one: IndexRange, columns: Sequence[str], bounds: tuple[str, ...], limit: int, skip: int = 0
) -> str:
    selected = ", ".join(f"{one.id} AS id" if name == "id" else name for name in columns)
    names = [one.id if name == "id" else name for name in scan.order.names]
    beyond = [f"({', '.join(names)}) {scan.order.beyond} ({', '.join(bounds)})"] if bounds else []
    conditions = " AND ".join([*one.conditions, *beyond])
    where = f" WHERE {conditions}" if conditions else ""
    return f"SELECT {selected} FROM {one.table}{where} ORDER BY {scan.order.by(names)} LIMIT {limit} OFFSET {skip}"


def literally(text: str) -> str:
    """A pattern for `LIKE … ESCAPE '!'` that matches exactly this text."""
    return "".join(f"!{char}" if char in "!%_" else char for char in text)
