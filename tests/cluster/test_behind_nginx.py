"""Two nodes behind nginx, with the settings of deploy/nginx.conf as they are written."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from support.clients.tus import TusUpload, begin_patch, new_file_upload, wait_until_durable
from support.servers.cluster import Cluster
from support.servers.nginx import needs_nginx, nginx
from support.waiting import PATIENCE_SECONDS, wait_until

pytestmark = needs_nginx

SETTINGS = (Path(__file__).parents[2] / "deploy" / "nginx.conf").read_text()
SENT = 1000
SIZE = 50_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proxy") / "nginx"


@pytest.fixture(scope="module")
def web(cluster: Cluster, folder: Path) -> Iterator[httpx2.Client]:
    """An admin who comes through the proxy."""
    one, other = (f"server 127.0.0.1:{node.port} " for node in cluster.nodes)
    places = {"server api-1:8080 ": one, "server api-2:8080 ": other, "/dev/stdout": "access.log"}
    headers = {"authorization": f"Bearer {cluster.admin_token}"}
    with (
        nginx(folder, SETTINGS, places) as origin,
        httpx2.Client(base_url=origin, headers=headers, timeout=PATIENCE_SECONDS) as client,
    ):
        yield client


def test_what_has_arrived_of_an_upload_that_stalls_is_kept(web: httpx2.Client, cluster: Cluster) -> None:
    """A proxy that gathers bodies would have passed on nothing."""
    upload = _upload(web, SIZE)
    with begin_patch(web.base_url.port or 80, upload, 0, SIZE) as client:
        client.send(secrets.token_bytes(SENT))
        wait_until_durable(cluster.nodes[0], upload, SENT)
        assert upload.offset == SENT


def test_an_event_is_heard_at_once(web: httpx2.Client) -> None:
    with web.stream("GET", "/api/v1/events/stream") as stream:
        lines = stream.iter_lines()
        next(lines)
        title = secrets.token_hex(8)
        task = web.post("/api/v1/taskapp/tasks", json={"title": title}).json()["data"]
        heard = (json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: "))
        assert any(event["subject"] == task["id"] for event in heard)


def test_a_body_of_many_megabytes_is_let_through(web: httpx2.Client) -> None:
    data = secrets.token_bytes(12 << 20)
    upload = _upload(web, len(data))
    assert upload.patch(0, data).status_code == 204
    ready = f"/api/v1/media/assets/{upload.subject}"
    wait_until(lambda: web.get(ready).json()["data"]["processingStatus"] == "ready")
    content = web.get(urlsplit(web.get(ready).json()["data"]["url"]).path).content
    assert content == data


def test_requests_go_to_the_other_node_while_one_is_down(web: httpx2.Client, cluster: Cluster) -> None:
    cluster.nodes[0].kill()
    try:
        assert {web.get("/api/v1/taskapp/boards").status_code for _ in range(20)} == {200}
    finally:
        cluster.nodes[0].start()


def test_the_log_tells_no_secret(web: httpx2.Client, folder: Path) -> None:
    upload = _upload(web, SIZE)
    before = len((folder / "access.log").read_text())
    assert upload.head().status_code == 200
    wait_until(lambda: "HEAD" in (folder / "access.log").read_text()[before:])
    assert upload.path.rpartition("/")[2] not in (folder / "access.log").read_text()


def _upload(web: httpx2.Client, size: int) -> TusUpload:
    upload = new_file_upload(web, size)
    return upload.at(str(web.base_url).rstrip("/") + upload.path)
