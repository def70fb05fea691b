"""The service that most teams would write instead: fastapi_app.py on uvicorn, one worker, over PostgreSQL.

It has a database of its own, and makes its tables at its start; the tasks are written into them with SQL.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from bench.harness.install import peers_bin
from bench.harness.servers import PostgresServer, free_port
from bench.peers.background import Background
from bench.work.tasks import BODY, BODY_OF_OTHERS, DUE_MS, OF_OTHERS, PAGE, TAGS, TaskApi, text_of

TOKEN = "a-token-of-the-benchmark"
DUE = datetime.fromtimestamp(DUE_MS / 1000, UTC).isoformat()


def start(folder: Path, database_url: str) -> Background:
    """Raises Missing if it cannot be installed or does not come up."""
    port = free_port()
    command = [
        "env", f"DATABASE_URL={database_url.replace('postgresql:', 'postgresql+asyncpg:')}",
        str(peers_bin() / "uvicorn"), "fastapi_app:app", "--app-dir", str(Path(__file__).parent),
        "--host", "127.0.0.1", "--port", str(port), "--loop", "uvloop", "--http", "httptools",
    ]  # fmt: skip
    return Background(command, port, folder / "fastapi.log")


def seed(peer: Background, postgres: PostgresServer, database: str, count: int) -> TaskApi:
    """Write the tasks, and say how it is asked for them."""
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    postgres.sql(f"INSERT INTO access_token (digest, owner) VALUES ('{digest}', 'owner')", database)
    postgres.sql(_tasks("owner", count, BODY), database)
    postgres.sql(_tasks("somebody else", OF_OTHERS, BODY_OF_OTHERS), database)
    return TaskApi(
        pid=peer.pid,
        url=f"{peer.origin}/tasks",
        headers={"authorization": f"Bearer {TOKEN}"},
        newest=f"limit={PAGE}",
        new=text_of(count) | {"due_at": DUE},
        one=lambda answer: answer,
        many=lambda answer: answer["items"],
    )


def _tasks(owner: str, count: int, body: str) -> str:
    tags = ", ".join(f"('{tag}')" for tag in TAGS)
    return f"""
        WITH written AS (
            INSERT INTO task (owner, title, body, status, due_at, time_zone, position, archived,
                              created_at, updated_at, version)
            SELECT '{owner}', 'Task ' || number, '{body}', 'todo', '{DUE}', 'UTC', number, false, now(), now(), 1
            FROM generate_series(0, {count - 1}) AS number
            RETURNING id)
        INSERT INTO task_tag (task_id, tag) SELECT id, tag FROM written, (VALUES {tags}) AS tags (tag)"""
