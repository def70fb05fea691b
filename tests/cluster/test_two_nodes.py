"""Two nodes and two workers, each a process with a folder of its own, are one service."""

import hashlib
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import pytest

from stowboard_client import Client
from support.clients.flat_out import FlatOut, check_exact
from support.clients.tour import take_tour, unvisited
from support.clients.tus import TusUpload, new_file_upload
from support.media.clips import AAC, make_clip
from support.media.unique_images import png
from support.servers.cluster import ORIGIN, AnyNode, Cluster
from support.servers.stowboard import Server
from support.stored.rows import issued
from support.waiting import wait_until

DUPLICATES = 20
LIMITED = {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "600", "STOWBOARD_RATE_LIMIT_BURST": "100"}


@pytest.fixture(scope="module")
def one(cluster: Cluster) -> Iterator[httpx2.Client]:
    with bare(cluster.nodes[0], cluster) as http:
        yield http


@pytest.fixture(scope="module")
def other(cluster: Cluster) -> Iterator[httpx2.Client]:
    with bare(cluster.nodes[1], cluster) as http:
        yield http


def test_the_whole_api_works_whichever_node_answers(cluster: Cluster, tmp_path: Path) -> None:
    clip = make_clip(tmp_path / "clip.mp4", *AAC).read_bytes()
    transport = AnyNode(cluster.nodes)
    with (
        cluster.http() as web,
        Client(ORIGIN, cluster.admin_token, http=httpx2.Client(transport=transport)) as admin,
    ):
        take_tour(admin, web, clip)
    asked = transport.asked
    assert unvisited((method, path) for _, method, path in asked) == []
    spread = Counter(node.port for node, _, _ in asked)
    assert len(spread) == 2
    assert min(spread.values()) > 20


def test_what_one_node_acknowledged_the_other_shows_at_once(one: httpx2.Client, other: httpx2.Client) -> None:
    for number in range(40):
        writer, reader = (one, other) if number % 2 else (other, one)
        task = created(writer.post("/taskapp/tasks", json={"title": f"t{number}"}))
        assert reader.get(f"/taskapp/tasks/{task['id']}").json()["data"] == task
        writer.patch(f"/taskapp/tasks/{task['id']}", json={"title": "changed"})
        assert reader.get(f"/taskapp/tasks/{task['id']}").json()["data"]["title"] == "changed"
        assert reader.delete(f"/taskapp/tasks/{task['id']}").status_code == 200
        assert writer.get(f"/taskapp/tasks/{task['id']}").status_code == 404


def test_a_retry_at_another_node_gets_the_first_answer(
    cluster: Cluster, one: httpx2.Client, other: httpx2.Client
) -> None:
    name = secrets.token_hex(8)
    answers = [
        node.post("/access/tokens", json={"owner": "a", "name": name}, headers={"idempotency-key": name})
        for node in (one, other, one)
    ]
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert [answer.headers.get("idempotent-replayed") for answer in answers] == [None, "true", "true"]
    reused = other.post("/access/tokens", json={"owner": "b"}, headers={"idempotency-key": name})
    assert (reused.status_code, issued(cluster.nodes[0], name)) == (422, 1)


def test_of_duplicates_at_both_nodes_at_once_one_has_the_effect(
    cluster: Cluster, one: httpx2.Client, other: httpx2.Client
) -> None:
    name = secrets.token_hex(8)

    def send(node: httpx2.Client) -> httpx2.Response:
        return node.post("/access/tokens", json={"owner": "a", "name": name}, headers={"idempotency-key": name})

    with ThreadPoolExecutor(DUPLICATES) as pool:
        answers = list(pool.map(send, [one, other] * (DUPLICATES // 2)))
    assert {answer.status_code for answer in answers} <= {201, 409}
    done = [answer for answer in answers if answer.status_code == 201]
    assert len({answer.content for answer in done}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in done) == 1
    assert issued(cluster.nodes[0], name) == 1


def test_the_limit_of_a_token_is_one_over_both_nodes(cluster: Cluster) -> None:
    """On nodes of their own: those of the other tests have no limit to speak of."""
    limited = [cluster.node(number, LIMITED, "limited") for number in range(2)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(Server.start, limited))
    with cluster.client() as admin:
        token = admin.tokens.create("limited")
    load = FlatOut(limited, token.token)
    load.run(3.0)
    check_exact(load)
    assert load.processes == 2
    kept = cluster.valkey.command("EXISTS", f"stowboard:limit:{token.id}")
    assert kept == ":1\r\n", "Valkey has decided, not the host's own table"
    for node in limited:
        node.kill()


def test_a_resumable_upload_goes_on_at_another_node(cluster: Cluster, one: httpx2.Client, other: httpx2.Client) -> None:
    """Send more than a part of S3 to the first, a few bytes to the second, the rest to the first, and so on."""
    data = secrets.token_bytes(9 << 20) + secrets.token_bytes(77)
    with httpx2.Client(base_url=cluster.nodes[0].origin, headers=dict(one.headers), timeout=60) as admin:
        first = new_file_upload(admin, len(data))
    second = first.at(f"{cluster.nodes[1].origin}{first.path}")
    steps = [0, 8 << 20, (8 << 20) + 1000, (8 << 20) + 1001, len(data) - 5, len(data)]
    with httpx2.Client(timeout=60) as http:
        for number, (start, end) in enumerate(pairwise(steps)):
            sender, reader = (first, second) if number % 2 == 0 else (second, first)
            assert TusUpload(http, sender.url, "").patch(start, data[start:end]).status_code == 204
            if end < len(data):
                assert TusUpload(http, reader.url, "").offset == end
    ready = when_ready(other, first.subject)
    assert ready["checksum"] == checksum(data)
    assert checksum(httpx2.get(ready["url"]).content) == ready["checksum"]


def test_replaced_bytes_are_processed_by_a_worker_and_served_by_every_node(
    cluster: Cluster, one: httpx2.Client, other: httpx2.Client
) -> None:
    with cluster.client() as admin:
        before, after = png(20, 20), png(41, 23)
        asset = admin.uploads.image("a.png", before)
        admin.uploads.replace(asset.id, after, mime_type="image/png", original_name="b.png")
        done = admin.uploads.wait_until_ready(asset.id)
    assert (done.version, done.width, done.height) == (2, 41, 23)
    for node in cluster.nodes:
        assert list((node.data_dir / "work").glob("*")) == [], "no node did the work"
        assert httpx2.get(on(node, done.url or "")).content == after


def test_addresses_that_one_node_signed_are_good_at_the_other(
    cluster: Cluster, one: httpx2.Client, other: httpx2.Client
) -> None:
    with cluster.client() as admin:
        content = secrets.token_bytes(500)
        asset = admin.uploads.file("a.bin", content, visibility="protected")
    for signer, server in ((one, cluster.nodes[1]), (other, cluster.nodes[0])):
        url = signer.post(f"/media/assets/{asset.id}/url", json={"expiresIn": 600}).json()["data"]["url"]
        assert httpx2.get(on(server, url)).content == content
        assert httpx2.get(on(server, url[:-4] + "AAAA")).status_code == 404
        assert httpx2.get(on(server, asset.url or "")).status_code == 404


def test_cursors_of_one_node_are_good_at_the_other(one: httpx2.Client, other: httpx2.Client) -> None:
    owner = secrets.token_hex(6)
    ids = [created(one.post("/access/tokens", json={"owner": owner}))["id"] for _ in range(5)]
    page = one.get("/access/tokens", params={"limit": 2}).json()
    assert [token["id"] for token in page["data"]] == ids[:2:-1]
    page = other.get("/access/tokens", params={"limit": 2, "cursor": page["meta"]["nextCursor"]}).json()
    assert [token["id"] for token in page["data"]] == ids[2:0:-1]


def test_a_revoked_token_is_refused_by_every_node_within_a_second(
    cluster: Cluster, one: httpx2.Client, other: httpx2.Client
) -> None:
    token = created(one.post("/access/tokens", json={"owner": "leaving"}))
    bearer = {"authorization": f"Bearer {token['token']}"}
    assert {node.get("/", headers=bearer).status_code for node in (one, other)} == {200}
    assert one.delete(f"/access/tokens/{token['id']}").status_code == 200
    assert one.get("/", headers=bearer).status_code == 401, "at once where it was revoked"
    time.sleep(1)
    assert other.get("/", headers=bearer).status_code == 401


def test_each_of_many_jobs_is_done_once_whichever_worker_takes_it(cluster: Cluster) -> None:
    with cluster.client() as admin:
        images = [admin.uploads.image("a.png", png()) for _ in range(12)]
        for image in images:
            admin.uploads.replace(image.id, png(), mime_type="image/png", original_name="b.png")
        assert {admin.uploads.wait_until_ready(image.id).version for image in images} == {2}


def bare(node: Server, cluster: Cluster) -> httpx2.Client:
    headers = {"authorization": f"Bearer {cluster.admin_token}"}
    return httpx2.Client(base_url=node.base_url, headers=headers, timeout=60)


def on(node: Server, url: str) -> str:
    """The same address at this node."""
    return str(httpx2.URL(url).copy_with(host="127.0.0.1", port=node.port))


def created(answer: httpx2.Response) -> Any:
    assert answer.status_code == 201, answer.text
    return answer.json()["data"]


def when_ready(node: httpx2.Client, asset_id: str) -> Any:
    wait_until(lambda: node.get(f"/media/assets/{asset_id}").json()["data"]["processingStatus"] == "ready")
    return node.get(f"/media/assets/{asset_id}").json()["data"]


def checksum(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
