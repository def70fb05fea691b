"""The compose files, run by podman-compose with the image of `make release`."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
import yaml

import stowboard
from support.servers.ports import free_port
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import ACCESS_KEY, BUCKET, SECRET_KEY, SeaweedFs
from support.servers.valkey import ValkeyServer
from support.waiting import wait_until

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
TOKEN = "test_token_of_a_compose_file"
Up = Callable[[Path, dict[str, str]], None]

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def podman_settings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The image, loaded. podman's own limits may be above those of this machine."""
    archives = sorted((ROOT / "dist").glob("*.oci.tar"))
    if not archives or shutil.which("podman-compose") is None:
        pytest.skip("NOT TESTED: the compose files; run `make release`, and install podman and podman-compose")
    if os.geteuid() != 0:
        pytest.skip("NOT TESTED HERE: the compose files; containers are run by root")
    subprocess.run(["podman", "load", "--input", archives[-1]], check=True, capture_output=True)
    file = tmp_path_factory.mktemp("podman") / "containers.conf"
    file.write_text('[containers]\ndefault_ulimits = ["nofile=1024:4096", "nproc=1024:4096"]\n')
    return {"CONTAINERS_CONF": str(file)}


@pytest.fixture
def up(podman_settings: dict[str, str]) -> Iterator[Up]:
    """Starts the services of a file. They are removed after the test, with their volumes."""
    started: list[tuple[list[str], dict[str, str]]] = []

    def start(file: Path, settings: dict[str, str]) -> None:
        words = ["podman-compose", "-p", f"stowboard-{os.getpid()}", "-f", str(file)]
        environment = {**os.environ, **podman_settings, "RELEASE": stowboard.__version__, **settings}
        started.append((words, environment))
        done = subprocess.run([*words, "up", "-d"], env=environment, capture_output=True, text=True)
        if any(word in done.stderr for word in ("netavark", "iptables", "CNI", "cgroup")):
            pytest.skip(f"NOT TESTED HERE: podman can start no container: {done.stderr[-300:]}")
        assert done.returncode == 0, done.stdout + done.stderr

    yield start
    for words, environment in started:
        subprocess.run([*words, "logs"], env=environment, check=False)  # shown if the test has failed
        subprocess.run([*words, "down", "-v"], env=environment, capture_output=True, check=False)


def answers(port: int, token: str | None = None) -> bool:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    try:
        return httpx2.get(f"http://127.0.0.1:{port}{'/api/v1' if token else '/readyz'}", headers=headers).is_success
    except httpx2.TransportError:
        return False


def test_one_node_starts_and_is_not_root(up: Up) -> None:
    port = free_port()
    up(DEPLOY / "compose.yaml", {"PORT": str(port)})
    wait_until(lambda: answers(port))
    names = subprocess.run(
        ["podman", "ps", "--format", "{{.Names}}"], capture_output=True, text=True, check=True
    ).stdout
    [name] = [each for each in names.split() if each.startswith(f"stowboard-{os.getpid()}")]
    user = subprocess.run(["podman", "exec", name, "id", "-u"], capture_output=True, text=True, check=True).stdout
    assert user.strip() == "10001"
    assert subprocess.run(["podman", "exec", name, "touch", "/usr/bin/x"], capture_output=True).returncode != 0


def test_a_cluster_starts_on_servers_of_ones_own(
    podman_settings: dict[str, str], postgres: PostgresServer, seaweedfs: SeaweedFs, valkey: ValkeyServer
) -> None:
    """As the file says, in the network of this machine, since the servers of the tests listen nowhere else."""
    ports = {"api-1": free_port(), "api-2": free_port()}
    given = {
        "STOWBOARD_DATABASE_URL": postgres.create_database(), "STOWBOARD_BLOBS_URL": f"s3://{BUCKET}/composed",
        "STOWBOARD_S3_ENDPOINT": seaweedfs.endpoint, "STOWBOARD_VALKEY_URL": valkey.url,
        "STOWBOARD_PUBLIC_URL": f"http://127.0.0.1:{ports['api-1']}", "STOWBOARD_TRUSTED_PROXIES": "127.0.0.1",
        "STOWBOARD_BOOTSTRAP_TOKEN": TOKEN, "AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
    }  # fmt: skip
    environment = {**os.environ, **podman_settings}
    services = yaml.safe_load((DEPLOY / "cluster.yaml").read_text())["services"]
    names = {service: f"stowboard-{os.getpid()}-{service}" for service in services}
    try:
        for service, node in services.items():
            settings = node["environment"] | given | {"STOWBOARD_PORT": str(ports.get(service, 8080))}
            words = ["podman", "run", "-d", "--name", names[service], "--network", "host", "--read-only"]
            words += [word for place in node["tmpfs"] for word in ("--tmpfs", place)]
            words += [word for name, value in settings.items() for word in ("-e", f"{name}={value}")]
            image = f"stowboard:{stowboard.__version__}"
            done = subprocess.run([*words, image, *node["command"]], env=environment, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        wait_until(lambda: all(answers(port, TOKEN) for port in ports.values()))
    finally:
        for name in names.values():
            subprocess.run(["podman", "logs", "--tail", "5", name], check=False)  # shown if the test has failed
            subprocess.run(["podman", "rm", "-f", name], capture_output=True, check=False)
