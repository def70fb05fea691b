"""Real clients of TUS, each in both ways of using `tusUploadUrl`: as the endpoint, and as the upload itself."""

import hashlib
import json
import random
import shutil
import subprocess
import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import httpx2
import pytest
from tusclient.client import TusClient
from tusclient.uploader.uploader import Uploader

from support.clients.tus import TusUpload, client_of, new_file_upload, new_video_upload, sha256_when_ready
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

MIB = 1 << 20
DATA = random.Random(6).randbytes(7 * MIB + 11)
SHA256 = hashlib.sha256(DATA).hexdigest()
TOOLS = Path(__file__).parents[3] / "tools"
NODE = shutil.which("node")

needs_node = pytest.mark.skipif(
    NODE is None or not (TOOLS / "node_modules" / "tus-js-client").is_dir(),
    reason="NOT TESTED: tus-js-client; install Node and run `npm ci` in tests/tools",
)


@pytest.fixture
def upload(admin: httpx2.Client) -> TusUpload:
    return new_file_upload(admin, len(DATA))


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tus") / "film.mp4"
    path.write_bytes(DATA)
    return path


@pytest.mark.parametrize("checksum", [False, True])
def test_tuspy_with_an_endpoint(admin: httpx2.Client, upload: TusUpload, checksum: bool) -> None:
    client = TusClient(upload.url)
    client.uploader(file_stream=BytesIO(DATA), chunk_size=2 * MIB, upload_checksum=checksum).upload()
    assert sha256_when_ready(admin, upload.subject) == SHA256


def test_tuspy_with_the_address_of_the_upload(admin: httpx2.Client, upload: TusUpload) -> None:
    Uploader(file_stream=BytesIO(DATA), url=upload.url, chunk_size=3 * MIB).upload()
    assert sha256_when_ready(admin, upload.subject) == SHA256


def test_tuspy_goes_on_where_another_process_stopped(admin: httpx2.Client, upload: TusUpload) -> None:
    Uploader(file_stream=BytesIO(DATA), url=upload.url, chunk_size=MIB).upload(stop_at=3 * MIB)
    assert upload.offset == 3 * MIB
    Uploader(file_stream=BytesIO(DATA), url=upload.url, chunk_size=MIB).upload()
    assert sha256_when_ready(admin, upload.subject) == SHA256


def test_tuspy_that_never_says_the_length_is_answered_all_the_same(admin: httpx2.Client) -> None:
    video = new_video_upload(admin)
    Uploader(file_stream=BytesIO(DATA), url=video.url, chunk_size=4 * MIB).upload()
    answer = video.head()
    assert (answer.headers["upload-offset"], answer.headers["upload-defer-length"]) == (str(len(DATA)), "1")


@needs_node
@pytest.mark.parametrize(
    "options",
    [
        {"mode": "endpoint"},
        {"mode": "endpoint", "parallel": 4},
        {"mode": "endpoint", "withCreation": True},
        {"mode": "uploadUrl"},
        {"mode": "endpoint", "pauseAt": 2 * MIB},
        {"mode": "uploadUrl", "pauseAt": 2 * MIB},
    ],
    ids=json.dumps,
)
def test_tus_js(admin: httpx2.Client, upload: TusUpload, file: Path, options: dict[str, object]) -> None:
    lines = run_node(upload, file, options)
    assert lines[-1].startswith("done ")
    assert sha256_when_ready(admin, upload.subject) == SHA256


@needs_node
def test_tus_js_with_a_deferred_length(admin: httpx2.Client, file: Path) -> None:
    video = new_video_upload(admin)
    assert run_node(video, file, {"mode": "endpoint", "deferred": True})[-1].startswith("done ")
    assert video.head().headers["upload-length"] == str(len(DATA))
    assert video.offset == len(DATA)


@needs_node
@pytest.mark.parametrize("mode", ["endpoint", "uploadUrl"])
def test_tus_js_that_terminates(upload: TusUpload, file: Path, mode: str) -> None:
    assert run_node(upload, file, {"mode": mode, "terminateAt": 2 * MIB})[-1] == "terminated"
    assert upload.head().status_code == 410


@needs_node
@pytest.mark.parametrize("mode", ["endpoint", "uploadUrl"])
def test_tus_js_survives_a_kill_of_the_server(own_server: Server, file: Path, mode: str) -> None:
    with client_of(own_server) as admin:
        upload = new_file_upload(admin, len(DATA))
        lines = run_node(upload, file, {"mode": mode, "chunkSize": 400_000}, restart_of(own_server))
        assert lines[-1].startswith("done ")
        assert sha256_when_ready(admin, upload.subject) == SHA256


def restart_of(server: Server) -> Callable[[], None]:
    def restart() -> None:
        server.kill()
        server.start()

    return restart


def run_node(
    upload: TusUpload, file: Path, options: dict[str, object], after_some: Callable[[], None] | None = None
) -> list[str]:
    """The script's output. `after_some` is called when a part of the bytes is there."""
    asked = {"url": upload.url, "file": str(file), "chunkSize": MIB, **options}
    assert NODE is not None
    command = [NODE, "tus_upload.mjs", json.dumps(asked)]
    lines: list[str] = []
    with subprocess.Popen(command, cwd=TOOLS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as node:
        too_long = threading.Timer(300, node.kill)
        too_long.start()
        assert node.stdout is not None
        assert node.stderr is not None
        for line in node.stdout:
            lines.append(line.strip())
            if len(lines) == 4 and after_some is not None:
                after_some()
        errors = node.stderr.read()
        too_long.cancel()
    assert node.returncode == 0, errors
    return lines
