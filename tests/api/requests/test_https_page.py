"""https in front of the service, with the texts of docs/https.md as they are written there."""

import json
import re
import secrets
import ssl
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
import trustme

from support.servers.caddy import caddy, needs_caddy
from support.servers.nginx import needs_nginx, nginx
from support.servers.ports import free_port
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parents[3]
CADDYFILE, UPSTREAM, CERTIFICATE, SETTINGS = re.findall(
    r"^```\w*\n(.*?)^```$", (ROOT / "docs" / "https.md").read_text(), re.MULTILINE | re.DOTALL
)
NGINX = (ROOT / "deploy" / "nginx.conf").read_text()
HOST = "stow.example.org"
#: More than proxies take unless they are told.
LARGE = 5_000_000


@pytest.fixture(scope="module")
def behind_proxy(make_server: MakeServer) -> Server:
    said = tomllib.loads(SETTINGS)
    assert said.pop("host") == "127.0.0.1", "where the tests' servers listen as well"
    told = {"PUBLIC_URL": said.pop("public_url"), "TRUSTED_PROXIES": ",".join(said.pop("trusted_proxies"))}
    assert not said
    return make_server(UNLIMITED | {f"STOWBOARD_{name}": value for name, value in told.items()})


@contextmanager
def visiting(port: int, trusted: ssl.SSLContext, server: Server) -> Iterator[httpx2.Client]:
    """An admin who found the name at this machine."""

    def name(request: httpx2.Request) -> None:
        request.extensions["sni_hostname"] = HOST

    with httpx2.Client(
        base_url=f"https://127.0.0.1:{port}", headers={"host": HOST} | server.headers, verify=trusted,
        timeout=PATIENCE_SECONDS, event_hooks={"request": [name]},
    ) as client:  # fmt: skip
        yield client


@pytest.fixture
def by_caddy(behind_proxy: Server, tmp_path: Path) -> Iterator[httpx2.Client]:
    """As in a network without the internet."""
    settings = CADDYFILE.replace("127.0.0.1:8080", f"127.0.0.1:{behind_proxy.port}")
    settings = settings.replace(f"{HOST} {{", f"{HOST} {{\n\ttls internal")
    with caddy(tmp_path / "caddy", settings, HOST) as (port, trusted), visiting(port, trusted, behind_proxy) as client:
        yield client


@pytest.fixture
def by_nginx(behind_proxy: Server, tmp_path: Path) -> Iterator[httpx2.Client]:
    authority = trustme.CA()
    issued = authority.issue_cert(HOST)
    issued.cert_chain_pems[0].write_to_path(tmp_path / "fullchain.pem")
    issued.private_key_pem.write_to_path(tmp_path / "privkey.pem")
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    nodes = re.compile(r"^ +server api-.*?(?= +keepalive)", re.MULTILINE | re.DOTALL)
    turned_off = re.compile(r"^ +# listen 443.*?always;$", re.MULTILINE | re.DOTALL)
    settings = turned_off.sub(CERTIFICATE, nodes.sub(UPSTREAM, NGINX))
    port = free_port()
    places = {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;", f"/etc/letsencrypt/live/{HOST}": str(tmp_path),
        "127.0.0.1:8080": f"127.0.0.1:{behind_proxy.port}", "/dev/stdout": "access.log",
    }  # fmt: skip
    with nginx(tmp_path / "nginx", settings, places), visiting(port, trusted, behind_proxy) as client:
        yield client


def check(web: httpx2.Client) -> None:
    """Addresses are those of the proxy, large files pass, and events come at once."""
    sent = web.post("/api/v1/media/upload/file", files={"file": ("large.bin", secrets.token_bytes(LARGE))})
    assert sent.status_code == 201, sent.text
    assert sent.headers["strict-transport-security"] == "max-age=31536000"
    assert sent.json()["data"]["url"].startswith(f"https://{HOST}/cdn/")
    with web.stream("GET", "/api/v1/events/stream") as stream:
        lines = stream.iter_lines()
        next(lines)
        task = web.post("/api/v1/taskapp/tasks", json={"title": "Heard at once"}).json()["data"]
        heard = (json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: "))
        assert any(event["subject"] == task["id"] for event in heard)


def check_refusals(web: httpx2.Client) -> None:
    """The client gets the refusal, not the proxy's word that the service hung up on it."""
    body, upload = secrets.token_bytes(16 * LARGE // 5), "/api/v1/media/upload/file"
    # nginx closes a connection that it has not read to the end, without a word before.
    once = {"connection": "close"}
    for _ in range(12):
        refused = {
            401: web.post(upload, content=body, headers=once | {"authorization": "Bearer nobody"}),
            413: web.post(upload, content=body, headers=once),
            404: web.put("/uploads/put/never-made", content=body, headers=once),
            405: web.put(upload, content=body, headers=once),
        }
        assert {status: answer.status_code for status, answer in refused.items()} == {each: each for each in refused}


@needs_caddy
def test_refusals_of_large_bodies_come_through_caddy(by_caddy: httpx2.Client) -> None:
    check_refusals(by_caddy)


@needs_nginx
def test_refusals_of_large_bodies_come_through_nginx(by_nginx: httpx2.Client) -> None:
    check_refusals(by_nginx)


@needs_caddy
def test_caddy_does_it_with_the_caddyfile_of_the_page(by_caddy: httpx2.Client) -> None:
    check(by_caddy)


@needs_nginx
def test_nginx_does_it_with_the_lines_of_the_page(by_nginx: httpx2.Client) -> None:
    check(by_nginx)
