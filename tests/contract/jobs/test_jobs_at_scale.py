"""The cost of a claim depends on what is due, not on how many reminders lie in the future."""

import json
from typing import Any

from stowboard.db.database import Database, Tx
from stowboard.jobs import lease, queue
from stowboard.jobs.registry import Job, JobKind, NoArgs
from support.database.statements import rows
from support.jobs.working import demand

FUTURE = 100_000


async def idle(job: Job, args: NoArgs) -> None: ...


REMIND = JobKind("remind", "reminders", idle, args=NoArgs)


async def fill(tx: Tx) -> None:
    """A hundred thousand reminders in the next year, and three that are due."""
    await tx.run(
        """
        INSERT INTO job (id, queue, kind, args, dedup, due, created_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
        SELECT 'job_' || i, 'reminders', 'remind', $2, 'task ' || i, now_ms() + 60000 + i * 300, 1 FROM n
        """,
        FUTURE,
        b"{}",
    )
    for i in range(3):
        await queue.enqueue(tx, REMIND, NoArgs(), dedup=f"due {i}")


async def test_a_claim_is_an_index_range_scan_among_a_hundred_thousand_future_jobs(database: Database) -> None:
    await database.transact(fill)
    await database.transact(analyse)
    look = await plan(
        database, lease.with_kinds(lease.NEXT_DUE, ["remind", "other"], after=1), "reminders", "remind", "other"
    )
    assert_reads_only_the_head_of_the_index(database, look)
    claim = await plan(
        database,
        lease.with_kinds(lease.CLAIM_OF_SERVICE, ["remind"], after=4),
        "reminders",
        10,
        30_000,
        "token",
        "remind",
    )
    assert_reads_only_the_head_of_the_index(database, claim)
    claimed = await database.transact(lease.claim, [demand("reminders", ["remind"], 10)], 30_000)
    assert len(claimed) == 3
    assert await database.transact(lease.claim, [demand("reminders", ["remind"], 10)], 30_000) == []
    assert await rows(database, "SELECT count(*) FROM job WHERE attempt = 0") == [(FUTURE,)]


async def analyse(tx: Tx) -> None:
    await tx.run("ANALYZE job")


async def plan(database: Database, sql: str, *args: Any) -> Any:
    if database.dialect == "sqlite":
        return [row[-1] for row in await rows(database, f"EXPLAIN QUERY PLAN {sql}", *args)]
    [(found,)] = await rows(database, f"EXPLAIN (FORMAT JSON) {sql}", *args)
    return json.loads(found) if isinstance(found, str) else found


def assert_reads_only_the_head_of_the_index(database: Database, plan: Any) -> None:
    if database.dialect == "sqlite":
        scans = [step for step in plan if step.startswith("SCAN") and step != "SCAN ready"]
        assert scans == [], plan
        assert any("USING" in step and "INDEX job_due (queue=?" in step for step in plan), plan
        return
    nodes = list(walk(plan[0]["Plan"]))
    assert [node["Node Type"] for node in nodes if node["Node Type"] == "Seq Scan"] == [], plan
    [scan] = [node for node in nodes if node.get("Index Name") == "job_due"]
    assert scan["Node Type"] in ("Index Scan", "Index Only Scan"), plan
    assert "queue" in scan["Index Cond"], plan


def walk(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node] + [below for child in node.get("Plans", []) for below in walk(child)]
