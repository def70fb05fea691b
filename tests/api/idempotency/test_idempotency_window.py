"""For how long a key is remembered. Only the stored time is moved; the clock is the real one."""

import secrets
import time
from collections.abc import Iterator

import httpx2
import pytest

from support.servers.stowboard import Server
from support.stored.rows import issued, rows
from support.waiting import wait_until

DAY_MS = 24 * 3600 * 1000


@pytest.fixture
def owner() -> str:
    return "o" + secrets.token_hex(8)


@pytest.fixture
def http(server: Server, owner: str) -> Iterator[httpx2.Client]:
    """A client whose replies are the only ones of their owner."""
    with httpx2.Client(base_url=server.base_url, headers=server.headers, timeout=120) as http:
        secret = http.post("/access/tokens", json={"owner": owner, "admin": True}).json()["data"]["token"]
        http.headers["authorization"] = f"Bearer {secret}"
        yield http


def test_a_reply_is_kept_for_24_hours_from_its_request(server: Server, http: httpx2.Client, owner: str) -> None:
    before = now_ms()
    create(http, "a", owner)
    after = now_ms()
    [(expires_at,)] = rows(server, f"SELECT expires_at FROM idempotency WHERE {of(owner)}")
    assert before + DAY_MS <= expires_at <= after + DAY_MS


def test_just_before_24_hours_the_reply_is_given_again(server: Server, http: httpx2.Client, owner: str) -> None:
    first = create(http, "a", owner)
    let_expire_in(server, owner, 30_000)
    assert create(http, "a", owner).content == first.content
    assert issued(server, owner) == 1


def test_after_24_hours_the_request_is_done_anew_and_kept_anew(server: Server, http: httpx2.Client, owner: str) -> None:
    first = create(http, "a", owner)
    let_expire_in(server, owner, 0)
    second = create(http, "a", owner)
    assert second.status_code == 201
    assert second.content != first.content
    assert "idempotent-replayed" not in second.headers
    assert create(http, "a", owner).content == second.content
    assert issued(server, owner) == 2


def test_after_24_hours_a_key_may_be_used_for_another_request(server: Server, http: httpx2.Client, owner: str) -> None:
    create(http, "a", owner)
    let_expire_in(server, owner, 0)
    assert http.delete("/access/tokens/tok_none", headers={"idempotency-key": "a"}).status_code == 404
    retry = http.delete("/access/tokens/tok_none", headers={"idempotency-key": "a"})
    assert retry.headers["idempotent-replayed"] == "true"


def test_the_sweep_removes_expired_replies_and_no_others(own_server: Server, owner: str) -> None:
    with httpx2.Client(base_url=own_server.base_url, headers=own_server.headers, timeout=120) as http:
        for key in ("live", "also-live", "nearly-over"):
            create(http, key, owner)
        rows(own_server, f"UPDATE idempotency SET expires_at = {now_ms() + 600_000}")
        create(http, "over", owner)
        rows(own_server, f"UPDATE idempotency SET expires_at = {now_ms()} WHERE expires_at > {now_ms() + 700_000}")
        own_server.stop()
        rows(own_server, "UPDATE schedule SET next = 0 WHERE name = 'platform.sweep_replies'")
        own_server.start()
        wait_until(lambda: len(rows(own_server, "SELECT 1 FROM idempotency")) <= 3)
        replayed = [
            create(http, key, owner).headers.get("idempotent-replayed") for key in ("live", "nearly-over", "over")
        ]
        assert replayed == ["true", "true", None]


def create(http: httpx2.Client, key: str, name: str) -> httpx2.Response:
    return http.post("/access/tokens", json={"owner": "alice", "name": name}, headers={"idempotency-key": key})


def let_expire_in(server: Server, owner: str, milliseconds: int) -> None:
    rows(server, f"UPDATE idempotency SET expires_at = {now_ms() + milliseconds} WHERE {of(owner)}")


def of(owner: str) -> str:
    return f"scope LIKE '[\"{owner}\"%'"


def now_ms() -> int:
    return time.time_ns() // 1_000_000
