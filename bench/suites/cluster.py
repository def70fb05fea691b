"""One, two and four nodes over PostgreSQL, S3 and Valkey, as an installation of several hosts has them.

There are as many load generators as nodes. They ask one node, or a node each. All processes share this machine, so
another node brings no processors with it: what shows here is what it costs, not what it brings where it has a host of
its own.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx2

from bench.harness.figures import OURS, Asked, Contender, Row, Sample
from bench.harness.install import program
from bench.harness.progress import Progress
from bench.harness.scratch import MIB
from bench.harness.servers import (
    ACCESS_KEY,
    BUCKET,
    SECRET_KEY,
    UNLIMITED,
    PostgresServer,
    SeaweedFs,
    Server,
    ValkeyServer,
)
from bench.work import stowboard_tasks
from bench.work.s3 import (
    DOWNLOAD,
    REDIRECTED,
    downloads,
    make_source,
    redirected_downloads,
    upload_by_node,
    upload_straight,
)
from bench.work.tasks import TaskApi, create, get_one, list_newest

TITLE = "Cluster"
SECONDS = 200
QUICK_SECONDS = 70
ROUNDS, TURN_SECONDS = 3, 3.0
NODES = (2, 4)
TASKS = 10_000
UPLOAD, QUICK_UPLOAD = 64 * MIB, 16 * MIB
ONE_NODE, S3_ALONE = "one node", "S3 server alone"
TASK_NOTE = (
    "Stowboard is several nodes here. They share the cores with PostgreSQL, Valkey and the load, as the one node does;"
    f" {TASKS:,} tasks, PostgreSQL with its default settings. CPU and memory are those of the nodes alone."
)
UPLOAD_NOTE = (
    "One node, TUS in one PATCH, beside one PUT to a URL that is signed for the S3 server: the bytes go through one"
    " process more and are hashed. What is done after the last byte was acknowledged is not in the figure."
)
REDIRECT_NOTE = (
    "One connection, `cdn_redirect`: the node is asked each time, although caches may keep a public redirect; the S3"
    " server alone has one signed URL for all."
)
DOWNLOAD_NOTE = "One node that streams from the S3 server, beside the S3 server itself by a signed URL."


@contextmanager
def rows(folder: Path, progress: Progress, quick: bool) -> Iterator[list[Row]]:
    program("wrk")
    with ExitStack() as stack:
        progress.say("Cluster: starting PostgreSQL, Valkey, S3 and nodes")
        s3 = SeaweedFs.start()
        stack.callback(s3.stop)
        postgres = PostgresServer(settings={})
        stack.callback(postgres.stop)
        postgres.start()
        database = postgres.create_database()
        nodes = _start_nodes(stack, folder, database, s3)
        progress.say("Cluster: filling")
        ready = [*_task_rows(nodes), *_s3_rows(nodes[0], s3, folder, QUICK_UPLOAD if quick else UPLOAD)]
        postgres.sql("VACUUM ANALYZE", database.rpartition("/")[2])  # as autovacuum would within a minute
        rounds, seconds = (1, 1.0) if quick else (ROUNDS, TURN_SECONDS)
        yield [replace(row, rounds=rounds, seconds=seconds) for row in ready]


def _start_nodes(stack: ExitStack, folder: Path, database: str, s3: SeaweedFs) -> list[Server]:
    valkey = ValkeyServer()
    stack.callback(valkey.kill)
    valkey.start()
    settings = UNLIMITED | {
        "STOWBOARD_DATABASE_URL": database,
        "STOWBOARD_BLOBS_URL": f"s3://{BUCKET}/{secrets.token_hex(6)}",
        "STOWBOARD_S3_ENDPOINT": s3.endpoint,
        "STOWBOARD_VALKEY_URL": valkey.url,
        "STOWBOARD_CDN_REDIRECT": "true",  # files of other types than text and media are sent by the node all the same
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
    }
    nodes = [Server(folder / f"node{number}", settings) for number in range(max(NODES))]
    for node in nodes:
        stack.callback(node.kill)
        node.start()
    return nodes


def _task_rows(nodes: list[Server]) -> list[Row]:
    api = stowboard_tasks.seed(nodes[0], TASKS)
    # One owner's creations wait for each other, so each generator has an owner of its own.
    creators = [replace(api, headers=_headers_of(nodes[0], f"creator-{number}")) for number in range(len(nodes))]
    return [
        row
        for count in NODES
        for row in (
            _task_row("get one task", get_one, [api] * count, nodes),
            _task_row("list 50 tasks", list_newest, [api] * count, nodes),
            _task_row("create a task", create, creators[:count], nodes),
        )
    ]


def _headers_of(node: Server, owner: str) -> dict[str, str]:
    answer = httpx2.post(f"{node.base_url}/access/tokens", json={"owner": owner}, headers=node.headers)
    return {"authorization": f"Bearer {answer.raise_for_status().json()['data']['token']}"}


def _task_row(work: str, turns: Callable[[TaskApi], Contender], shares: list[TaskApi], nodes: list[Server]) -> Row:
    """`shares` are those of one generator each."""
    spread = [_at(api, node) for api, node in zip(shares, nodes, strict=False)]
    return Row(
        work=f"{work}, {len(shares)} nodes",
        unit="requests/s",
        contenders={OURS: _together(turns, spread), ONE_NODE: _together(turns, shares)},
        note=TASK_NOTE,
    )


def _at(api: TaskApi, node: Server) -> TaskApi:
    """The same tasks by another node."""
    return replace(api, pid=node.pid, url=f"{node.base_url}/taskapp/tasks")


def _together(turns: Callable[[TaskApi], Contender], shares: list[TaskApi]) -> Contender:
    contenders = [turns(api) for api in shares]

    def turn(seconds: float) -> Sample:
        with ThreadPoolExecutor(len(contenders)) as pool:
            samples = list(pool.map(lambda contender: contender(seconds), contenders))
        return _sum(samples, [api.pid for api in shares])

    return turn


def _sum(samples: list[Sample], pids: list[int]) -> Sample:
    """The sum of loads at the same time. What several of them saw of the same process counts once."""
    rate = sum(sample.rate for sample in samples)
    processes = dict(zip(pids, samples, strict=True)).values()
    return Sample(
        rate=rate,
        p50_ms=max(sample.p50_ms or 0.0 for sample in samples),
        p99_ms=max(sample.p99_ms or 0.0 for sample in samples),
        cpu_us=sum((sample.cpu_us or 0.0) * sample.rate for sample in processes) / rate,
        memory_mb=sum(sample.memory_mb or 0.0 for sample in processes),
    )


def _s3_rows(node: Server, s3: SeaweedFs, folder: Path, size: int) -> list[Row]:
    source = make_source(folder / "upload", size)
    uploads = {OURS: upload_by_node(node, source), S3_ALONE: upload_straight(s3, source)}
    by_node, straight = downloads(node, s3)
    by_redirect, by_link = redirected_downloads(node, s3)
    return [
        Row(f"upload {size // MIB} MiB to S3 by TUS", "MiB/s", uploads, note=UPLOAD_NOTE),
        Row(
            f"download {DOWNLOAD // 1_000_000} MB from S3",
            "requests/s",
            {OURS: by_node, S3_ALONE: straight},
            note=DOWNLOAD_NOTE,
        ),
        Row(
            f"download {REDIRECTED // MIB} MiB from S3 by redirect",
            "MiB/s",
            {OURS: by_redirect, S3_ALONE: by_link},
            (Asked(S3_ALONE, 0.9),),
            note=REDIRECT_NOTE,
        ),
    ]
