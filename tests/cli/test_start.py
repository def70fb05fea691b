"""Starting: the first time, the second time, and where another server is already."""

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import httpx2
import pytest

from support.servers.command import sentence, stowboard
from support.servers.ports import free_port
from support.servers.stacks import Stack
from support.servers.stowboard import PROGRAM, START_SECONDS, Server, clean_environment

pytestmark = pytest.mark.cluster_in_soak

TOKEN = re.compile(r"stow_[0-9A-Za-z]{36}")


@contextmanager
def started(folder: Path, settings: dict[str, str], *options: str) -> Iterator[tuple[str, Path]]:
    """A server as a person starts it: its origin, and the file of what it prints."""
    port, printed = free_port(), folder / f"printed-{time.monotonic_ns()}"
    command = [str(PROGRAM), "serve", "--port", str(port), *options]
    with printed.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=clean_environment() | settings, stdout=output, stderr=subprocess.DEVNULL
        )
    try:
        _wait_for(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}", printed
    finally:
        process.terminate()
        process.wait(timeout=60)


def _wait_for(origin: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        assert process.poll() is None
        assert time.monotonic() < deadline
        try:
            if httpx2.get(f"{origin}/readyz").status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.05)


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "two processes"])
def test_the_first_start_prints_a_token_and_a_line_that_works_when_pasted(
    stack: Stack, tmp_path: Path, options: tuple[str, ...]
) -> None:
    settings = stack()
    with started(tmp_path, settings, *options) as (origin, printed):
        text = printed.read_text()
        (line,) = [line.strip() for line in text.splitlines() if line.strip().startswith("curl ")]
        pasted = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=120)
        assert '"version":"v1"' in pasted.stdout, pasted.stderr
        (secret,) = set(TOKEN.findall(text))
        admin = {"authorization": f"Bearer {secret}"}
        assert httpx2.get(f"{origin}/api/v1/access/tokens", headers=admin).status_code == 200
        named = origin.replace("127.0.0.1", "localhost")
        for shown in (f"{named}/api/v1", f"{named}/docs"):
            assert shown in text
        told = ["is starting", *(["First start: making a database in"] if not settings else []), "is running."]
        assert told == sorted(told, key=text.index)
    with started(tmp_path, settings, *options) as (origin, printed):
        assert "Stowboard is running." in printed.read_text()
        assert not TOKEN.search(printed.read_text())
        assert httpx2.get(f"{origin}/api/v1/access/tokens", headers=admin).status_code == 200


def test_who_has_made_an_admin_token_before_the_first_start_gets_no_other(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    secret = stowboard(tmp_path, "token", "create", "--owner", "me", "--admin").stdout.splitlines()[-1]
    with started(tmp_path, {}) as (origin, printed):
        assert not TOKEN.search(printed.read_text())
        assert httpx2.get(f"{origin}/api/v1", headers={"authorization": f"Bearer {secret}"}).status_code == 200


def test_a_data_folder_that_no_release_made_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    file = tmp_path / "data" / "stowboard.db"
    with closing(apsw.Connection(str(file))) as database:
        database.execute("UPDATE migration SET checksum = 'another' WHERE version = 4")
    before = file.read_bytes()
    for words in (("serve", "--port", str(free_port())), ("upgrade",), ("token", "list")):
        told = sentence(stowboard(tmp_path, *words))
        assert "made by a development version, not by a release" in told
        assert "Start with an empty data folder (--data-dir)" in told
    assert file.read_bytes() == before


def test_a_token_of_the_operator_is_never_printed_and_stays_revoked(own_server: Server) -> None:
    assert own_server.admin_token not in own_server.log()
    listed = httpx2.get(f"{own_server.base_url}/access/tokens", headers=own_server.headers).json()["data"]
    assert own_server.command("token", "revoke", listed[0]["id"]).returncode == 0
    own_server.stop()
    own_server.start()
    assert httpx2.get(own_server.base_url, headers=own_server.headers).status_code == 401


def test_a_second_server_on_the_same_data_folder_or_port_is_refused(tmp_path: Path) -> None:
    with started(tmp_path, {}) as (origin, _):
        folder = stowboard(tmp_path, "serve", "--port", str(free_port()))
        assert "another server uses the data folder data" in sentence(folder)
        taken = origin.rpartition(":")[2]
        port = stowboard(tmp_path, "serve", "--port", taken, "--data-dir", "other")
        assert f"cannot listen on 127.0.0.1:{taken}: Address already in use" in sentence(port)
        metrics = stowboard(
            tmp_path, "serve", "--port", str(free_port()), "--data-dir", "other", STOWBOARD_METRICS_PORT=taken
        )
        assert "STOWBOARD_METRICS_PORT" in sentence(metrics)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--data-dir", "a-file"), "the data folder a-file cannot be used"),
        (("--data-dir", "a-file/below"), "the data folder a-file/below cannot be used: Not a directory"),
        (("--host", "no.such.host.invalid"), "cannot listen on no.such.host.invalid:8080: "),
    ],
)
def test_a_start_that_cannot_succeed_says_why(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    (tmp_path / "a-file").touch()
    assert said in sentence(stowboard(tmp_path, "serve", *options))


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_video_encoder_that_does_not_work_is_not_replaced_in_silence(tmp_path: Path, command: str) -> None:
    settings = {"STOWBOARD_VIDEO_ENCODER": "h264_nvenc", "STOWBOARD_PORT": str(free_port())}
    said = sentence(stowboard(tmp_path, command, **settings))
    assert "STOWBOARD_VIDEO_ENCODER is h264_nvenc" in said
    assert "Unknown encoder 'h264_nvenc'" in said
    assert "Set it to libx264" in said


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_start_without_its_database_says_where_it_was_looked_for(tmp_path: Path, workers: str) -> None:
    url = f"postgresql://user:secret-word@127.0.0.1:{free_port()}/stowboard"
    settings = {"STOWBOARD_DATABASE_URL": url, "STOWBOARD_PORT": str(free_port())}
    said = sentence(stowboard(tmp_path, "serve", "--workers", workers, **settings))
    assert "PostgreSQL at 127.0.0.1:" in said
    assert "STOWBOARD_DATABASE_URL" in said
    assert "secret-word" not in said
