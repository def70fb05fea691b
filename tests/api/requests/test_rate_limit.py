"""The limit of a token as its clients meet it: over HTTP, in several processes, on several hosts."""

import http.client
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import http_sfv
import httpx2
import pytest

from support.clients.flat_out import BURST, RATE, FlatOut, Seen, ask, check_exact
from support.rounds import rounds
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server
from support.servers.valkey import ValkeyServer

SECONDS = rounds(2, 3)
PUBLIC = ["/healthz", "/readyz", "/openapi.json", "/.well-known/oauth-authorization-server", "/docs"]


def test_the_limit_is_exact_over_the_processes_of_a_server(stack: Stack, make_server: MakeServer) -> None:
    server = make_server(stack(), "--workers", "3")
    load = FlatOut([server], new_token(server))
    neighbour = Neighbour(server, new_token(server))
    with neighbour:
        load.run(SECONDS)
    check_exact(load)
    assert load.processes == 3
    for one in load.seen:
        check_headers(one)
    assert set(neighbour.statuses) == {200}, "another token has its own limit"
    server.kill()


def test_who_waits_as_long_as_told_is_admitted(own_server: Server) -> None:
    token = new_token(own_server)
    connection = http.client.HTTPConnection("127.0.0.1", own_server.port, timeout=120)
    for _ in range(3):
        refused = use_up(connection, token)
        time.sleep(int(refused.headers["retry-after"]))
        assert ask(connection, token).status == 200
    connection.close()


def test_an_answer_of_every_kind_tells_the_quota(own_server: Server) -> None:
    started = time.monotonic()
    with httpx2.Client(base_url=own_server.base_url, headers=own_server.headers) as http:
        answers = [
            http.get("/"),
            http.get("/nowhere"),
            http.put("/access/tokens"),
            http.post("/access/tokens", content=b"{"),
            http.post("/access/tokens", json={"owner": "alice"}, headers={"idempotency-key": "k"}),
            http.post("/access/tokens", json={"owner": "alice"}, headers={"idempotency-key": "k"}),
            http.delete("/access/tokens/tok_none"),
            http.get("/", headers={"authorization": "Bearer nobody"}),
        ]
    assert [answer.status_code for answer in answers] == [200, 404, 405, 400, 201, 201, 404, 401]
    left = [quota(answer.headers["ratelimit"])[0] for answer in answers]
    assert left[0] <= 99
    refilled = RATE * (time.monotonic() - started)
    assert all(later <= earlier + refilled for earlier, later in pairwise(left[:-1]))
    assert left[-2] <= BURST - len(answers) + 1 + refilled, "each of them was charged"
    assert left[-1] == BURST, "nobody's request is charged to nobody"
    for answer in answers:
        assert policies(answer.headers["ratelimit-policy"]) == {"default": (600, 60), "burst": (100, 10)}


def test_a_refused_request_has_no_effect_and_leaves_its_key_unused(own_server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", own_server.port, timeout=120)
    with httpx2.Client(base_url=own_server.base_url, headers=own_server.headers) as http_client:
        for attempt in range(100):  # the bucket may have room again by the time that this one is read
            use_up(connection, own_server.admin_token)
            headers = {"idempotency-key": f"after-429-{attempt}"}
            refused = http_client.post("/access/tokens", json={"owner": "alice"}, headers=headers)
            if refused.status_code == 429:
                break
        assert refused.json()["error"]["code"] == "rate_limited"
        time.sleep(int(refused.headers["retry-after"]))
        done = http_client.post("/access/tokens", json={"owner": "alice"}, headers=headers)
    connection.close()
    assert done.status_code == 201
    assert "idempotent-replayed" not in done.headers


@pytest.mark.parametrize("path", PUBLIC)
def test_paths_outside_of_the_api_are_outside_of_the_limit(own_limit: Server, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", own_limit.port, timeout=120)
    use_up(connection, own_limit.admin_token)
    answers = [ask(connection, own_limit.admin_token, path) for _ in range(5)]
    assert {answer.status for answer in answers} == {200}
    assert not any("ratelimit" in answer.headers for answer in answers)
    connection.close()


@pytest.fixture(scope="module")
def own_limit(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack())
    yield server
    server.kill()


def test_servers_over_one_valkey_share_one_limit(
    stack: Stack, make_server: MakeServer, request: pytest.FixtureRequest
) -> None:
    settings = cluster_settings(stack)
    valkey: ValkeyServer = request.getfixturevalue("valkey")
    one, other = make_server(settings), make_server(settings)
    token_id, secret = new_token_with_id(one)
    load = FlatOut([one, other], secret)
    load.run(SECONDS)
    check_exact(load)
    assert load.processes == 2
    kept = "EXISTS", f"stowboard:limit:{token_id}"
    assert valkey.command(*kept) == ":1\r\n", "Valkey has decided, not the host's own table"
    one.kill()
    other.kill()


def test_without_valkey_requests_go_on_and_with_it_the_limit_is_shared_again(
    stack: Stack, make_server: MakeServer
) -> None:
    settings, valkey = cluster_settings(stack), ValkeyServer()
    valkey.start()
    server = make_server(settings | {"STOWBOARD_VALKEY_URL": valkey.url})
    load = FlatOut([server], new_token(server), threads=4)
    loading = threading.Thread(target=load.run, args=(SECONDS,))
    loading.start()
    try:
        time.sleep(1)
        valkey.kill()
        time.sleep(1)
        valkey.start()
    finally:
        loading.join()
        valkey.kill()
        server.kill()
    assert load.lost_connections == 0
    assert set(Counter(one.status for one in load.seen)) <= {200, 429}
    # Valkey, the host's own table, and Valkey once more with no memory: three full buckets at most.
    assert load.admitted <= 3 * BURST + RATE * load.longest


class Neighbour:
    """Another token that asks now and then, while the first is flat out."""

    def __init__(self, server: Server, token: str) -> None:
        self.statuses: Counter[int] = Counter()
        self._server, self._token = server, token
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def _ask(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=120)
        while not self._ending.wait(0.1):
            self.statuses[ask(connection, self._token).status] += 1
        connection.close()


def check_headers(one: Seen) -> None:
    left, seconds = quota(one.headers["ratelimit"])
    assert policies(one.headers["ratelimit-policy"]) == {"default": (600, 60), "burst": (100, 10)}
    assert 0 <= left < BURST
    assert 1 <= seconds <= 10
    assert left <= seconds * RATE, "who spreads what is left over that time is never refused"
    if one.status == 429:
        assert left == 0
        assert int(one.headers["retry-after"]) == seconds
    else:
        assert "retry-after" not in one.headers


def quota(field: str) -> tuple[int, int]:
    """The rest of the burst, and the seconds that it is for."""
    [item] = parsed(field)
    assert item.value == "burst"
    return int(item.params["r"]), int(item.params["t"])


def policies(field: str) -> dict[str, tuple[int, int]]:
    return {item.value: (int(item.params["q"]), int(item.params["w"])) for item in parsed(field)}


def parsed(field: str) -> Any:
    items = http_sfv.List()  # type: ignore[attr-defined]
    items.parse(field.encode())
    return items


def use_up(connection: http.client.HTTPConnection, token: str) -> Seen:
    """Ask until the limit refuses; what it said then."""
    while (one := ask(connection, token)).status == 200:
        pass
    assert one.status == 429
    return one


def new_token(server: Server) -> str:
    return new_token_with_id(server)[1]


def new_token_with_id(server: Server) -> tuple[str, str]:
    answer = httpx2.post(f"{server.base_url}/access/tokens", json={"owner": "alice"}, headers=server.headers)
    data = answer.json()["data"]
    return str(data["id"]), str(data["token"])


def cluster_settings(stack: Stack) -> dict[str, str]:
    settings = stack()
    if "STOWBOARD_VALKEY_URL" not in settings:
        pytest.skip("one host needs no Valkey")
    return settings
