"""Pages of rows in the order of an index: every list is a scan.

A page is bounded work whatever is asked for. Candidates come from ranges of indexes that have the wanted order; what
these do not say is checked on at most `CANDIDATES` of them. Where too few pass, the page is short, and the next one
begins behind the candidates.

Candidates are looked up one by one, also where PostgreSQL would rather read the whole table and join it: `OFFSET 0`
keeps it from making a join of a subquery. Page and last candidate come from one statement, hence one snapshot, so what
others write meanwhile never makes a walk jump over rows that were not looked at.

A walk in an order whose values never change, as that of ids, sees every row that was there at its start, and stays so,
exactly once. Other orders go by a value as it is at the moment of each page: a row whose value changes during a walk
may be seen twice or not at all.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from stowboard.core.cursor import Position
from stowboard.db.database import Row, Tx, Value

T = TypeVar("T")
CANDIDATES = 1000


class Order(NamedTuple):
    """By these columns, which tell every row from every other, all in one direction."""

    names: tuple[str, ...]
    descending: bool

    @property
    def beyond(self) -> str:
        return "<" if self.descending else ">"

    def by(self, names: Sequence[str]) -> str:
        return ", ".join(f"{name} DESC" if self.descending else name for name in names)


#: Ids begin with the time at which they were made.
NEWEST = Order(("id",), descending=True)


class Arguments:
    """The arguments of one statement, numbered as they are added."""

    def __init__(self, *values: Value) -> None:
        self.values: list[Value] = list(values)

    def add(self, value: Value) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


class Range(NamedTuple):
    """A part of an index, by conditions that leave it in the order of the scan."""

    table: str
    conditions: Sequence[str] = ()
    #: What the table calls the row's id.
    id: str = "id"


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """One page, and the position behind which the next one begins, None at the end."""

    items: list[T]
    end: Position | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan(Generic[T]):
    #: Those of the order among them. The first of the others is never NULL.
    columns: Sequence[str]
    read: Callable[[Row], T]
    #: Of several, each has the order, and no row is in two.
    ranges: Sequence[Range]
    arguments: Arguments
    order: Order = NEWEST
    #: Where a candidate's columns are found by its id; None if the one range has them itself.
    table: str | None = None
    #: What the ranges do not say, about the table as `t`.
    conditions: Sequence[str] = ()

    async def page(self, tx: Tx, after: Position | None, size: int) -> Listed[T]:
        """The first rows behind the position, or of all; so many at most."""
        values = [*self.arguments.values, *(after or ())]
        if self.conditions:
            rows, last_candidate = await self._passing(tx, values, after, size + 1)
        else:
            rows, last_candidate = await tx.all(self._rows(after, size + 1), *values), None
        end = self._position(rows[size - 1]) if len(rows) > size else last_candidate
        return Listed([self.read(row) for row in rows[:size]], end)

    async def _passing(
        self, tx: Tx, values: Sequence[Value], after: Position | None, limit: int
    ) -> tuple[Sequence[Row], Position | None]:
        """The first candidates for which all conditions hold, and the last candidate if there may be more behind it."""
        names, candidates = self.order.names, partial(self._candidates, after)
        of_candidate = [f"c.{name}" for name in names]
        passing = (
            f"SELECT {', '.join(of_candidate)} FROM ({candidates(CANDIDATES)}) AS c WHERE EXISTS (SELECT 1"
            f" FROM {self.table} AS t WHERE t.id = c.id AND {' AND '.join(self.conditions)} LIMIT 1 OFFSET 0)"
            f" ORDER BY {self.order.by(of_candidate)} LIMIT {limit}"
        )
        last = ", ".join(name if name in names else "NULL" for name in self.columns)
        rows = await tx.all(
            f"SELECT {', '.join(self.columns)} FROM ({self._looked_up(passing)}) AS p"
            f" UNION ALL SELECT {last} FROM ({candidates(1, skip=CANDIDATES - 1)}) AS e",
            *values,
        )
        told = next(number for number, name in enumerate(self.columns) if name not in names)
        last_candidate = next((self._position(row) for row in rows if row[told] is None), None)
        found = [row for row in rows if row[told] is not None]
        return sorted(found, key=self._position, reverse=self.order.descending), last_candidate

    def _rows(self, after: Position | None, limit: int) -> str:
        if self.table is None:
            return self._select(self.ranges[0], self.columns, after, limit)
        return self._looked_up(self._candidates(after, limit))

    def _looked_up(self, candidates: str) -> str:
        columns = ", ".join(f"t.{name}" for name in self.columns)
        return (
            f"SELECT {columns} FROM ({candidates}) AS i JOIN {self.table} AS t ON t.id = i.id"
            f" ORDER BY {self.order.by([f'i.{name}' for name in self.order.names])}"
        )

    def _candidates(self, after: Position | None, limit: int, skip: int = 0) -> str:
        """The order's columns. Two ranges are read apart, so that each is read in its order."""
        names = self.order.names
        if len(self.ranges) == 1:
            return self._select(self.ranges[0], names, after, limit, skip)
        columns = ", ".join(names)
        all_ranges = " UNION ALL ".join(
            f"SELECT {columns} FROM ({self._select(one, names, after, skip + limit)}) AS r{number}"
            for number, one in enumerate(self.ranges)
        )
        return (
            f"SELECT {columns} FROM ({all_ranges}) AS all_ranges"
            f" ORDER BY {self.order.by(names)} LIMIT {limit} OFFSET {skip}"
        )

    def _select(self, one: Range, columns: Sequence[str], after: Position | None, limit: int, skip: int = 0) -> str:
        selected = ", ".join(f"{one.id} AS id" if name == "id" else name for name in columns)
        names = [one.id if name == "id" else name for name in self.order.names]
        conditions = [*one.conditions]
        if after is not None:
            first = len(self.arguments.values) + 1
            bounds = ", ".join(f"${first + number}" for number in range(len(after)))
            conditions.append(f"({', '.join(names)}) {self.order.beyond} ({bounds})")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"SELECT {selected} FROM {one.table}{where} ORDER BY {self.order.by(names)} LIMIT {limit} OFFSET {skip}"

    def _position(self, row: Row) -> Position:
        return tuple(row[self.columns.index(name)] for name in self.order.names)


def literally(text: str) -> str:
    """A pattern for `LIKE … ESCAPE '!'`: the characters that LIKE means something by are meant as themselves."""
    return "".join(f"!{char}" if char in "!%_" else char for char in text)
