"""The plans of the statements that a work runs, as the database itself explains them."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from stowboard.db.database import Database, Row, Tx, Value, Write


@dataclass(frozen=True)
class Plan:
    sql: str
    #: Each step: on SQLite its line, on PostgreSQL the node's type, table, index and estimated rows.
    steps: list[str]
    scanned: list[str]
    #: How many rows are sorted at most, by estimate; None where the database does not tell.
    sorts: list[int | None]


class Undone(Exception):
    pass


async def plans_of(database: Database, work: Callable[..., Awaitable[Any]], *args: Any) -> list[Plan]:
    """The work is done, explained statement by statement before each of them, and undone."""
    plans: list[Plan] = []

    async def explained(tx: Tx) -> None:
        await work(ExplainingTx(tx, plans), *args)
        raise Undone

    try:
        await database.transact(explained)
    except Undone:
        return plans
    raise AssertionError


class ExplainingTx:
    def __init__(self, tx: Tx, plans: list[Plan]) -> None:
        self._tx, self.dialect, self._plans, self.author = tx, tx.dialect, plans, tx.author

    async def one(self, sql: str, *args: Value) -> Row | None:
        await self._explain(sql, args)
        return await self._tx.one(sql, *args)

    async def all(self, sql: str, *args: Value) -> Sequence[Row]:
        await self._explain(sql, args)
        return await self._tx.all(sql, *args)

    async def run(self, sql: str, *args: Value) -> int:
        await self._explain(sql, args)
        return await self._tx.run(sql, *args)

    async def run_many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        if rows:
            await self._explain(sql, rows[0])
        await self._tx.run_many(sql, rows)

    async def run_together(self, writes: Sequence[Write]) -> None:
        for sql, args in writes:
            await self.run(sql, *args)

    async def run_script(self, sql: str) -> None:
        raise AssertionError

    async def lock(self, name: str) -> None:
        await self._tx.lock(name)

    def takes_time(self) -> None:
        pass

    def savepoint(self) -> AbstractAsyncContextManager[None]:
        return self._tx.savepoint()

    def after_commit(self, call: Callable[[], None]) -> None:
        self._tx.after_commit(call)

    def scrub(self) -> None:
        self._tx.scrub()

    def notify(self, channel: str) -> None:
        self._tx.notify(channel)

    def wake(self, channel: str) -> None:
        self._tx.wake(channel)

    async def _explain(self, sql: str, args: Sequence[Value]) -> None:
        if self.dialect == "sqlite":
            lines = [row[3] for row in await self._tx.all("EXPLAIN QUERY PLAN " + sql, *args)]
            self._plans.append(_of_sqlite(sql, lines))
            return
        # A prepared statement may be planned for these values, or once for any.
        for mode in ("force_custom_plan", "force_generic_plan"):
            await self._tx.run(f"SET LOCAL plan_cache_mode = {mode}")
            row = await self._tx.one("EXPLAIN (FORMAT JSON) " + sql, *args)
            assert row is not None
            nodes = list(_nodes(json.loads(row[0])[0]["Plan"]))
            self._plans.append(_of_postgres(sql, nodes))


def _of_sqlite(sql: str, lines: list[str]) -> Plan:
    scanned = [line.split()[1] for line in lines if line.startswith("SCAN ")]
    return Plan(sql, lines, scanned, [None for line in lines if line.startswith("USE TEMP B-TREE FOR ORDER BY")])


def _of_postgres(sql: str, nodes: list[dict[str, Any]]) -> Plan:
    names = ("Node Type", "Relation Name", "Index Name", "Plan Rows")
    steps = [" ".join(str(node[name]) for name in names if name in node) for node in nodes]
    scanned = [node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"]
    return Plan(sql, steps, scanned, [node["Plan Rows"] for node in nodes if node["Node Type"] == "Sort"])


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", []):
        yield from _nodes(child)
