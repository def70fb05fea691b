"""`stow import --files`: the server fetches what tasks have attached elsewhere; each file ends in the ledger."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.clients.task_owner import Owner
from support.clients.terminal import Ran, Terminal
from support.outgoing.file_server import ALLOWED, File, FileServer
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.stored.rows import rows

pytestmark = pytest.mark.cluster_in_soak


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    """It may ask this machine, and takes a megabyte at most."""
    server = make_server(stack() | UNLIMITED | ALLOWED | {"STOWBOARD_MAX_UPLOAD_MIB": "1"})
    yield server
    server.kill()


@pytest.fixture
def files() -> Iterator[FileServer]:
    with FileServer() as files:
        yield files


@pytest.fixture
def hanging_up() -> Iterator[str]:
    """The address of a server that listens and hangs up on everybody."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def hang_up() -> None:
            while True:
                try:
                    with door.accept()[0] as line:
                        line.recv(65_536)
                except OSError:
                    return

        threading.Thread(target=hang_up, daemon=True).start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}/hangs-up.txt"
        door.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def impatient(server: Server) -> Iterator[None]:
    """Jobs that would be tried again later are tried at once."""
    over = threading.Event()

    def hurry() -> None:
        while not over.wait(0.3):
            rows(server, "UPDATE job SET due = 1 WHERE kind = 'media.fetch' AND token IS NULL AND due > 1")

    hurrying = threading.Thread(target=hurry)
    hurrying.start()
    yield
    over.set()
    hurrying.join()


def bring(stow: Terminal, folder: Path, urls: dict[str, str], *words: str) -> tuple[Ran, list[tuple[str, str, str]]]:
    """Import a card with these attachments; the lines of the ledger about files."""
    attachments = [{"name": name, "url": url} for name, url in urls.items()]
    board: dict[str, Any] = {
        "id": "b1", "name": "Garden", "lists": [{"id": "l1", "name": "Ideas", "closed": False}], "checklists": [],
        "cards": [{"id": "c1", "name": "Plant", "idList": "l1", "pos": 1, "attachments": attachments}], "actions": [],
    }  # fmt: skip
    file, ledger = folder / "board.json", folder / "ledger.jsonl"
    file.write_text(json.dumps(board))
    ran = stow("import", str(file), "--yes", "--ledger", str(ledger), *words)
    lines = [json.loads(line) for line in ledger.read_text().splitlines()]
    return ran, [(one["source"], one["outcome"], one["reason"] or "") for one in lines if one["kind"] == "file"]


@pytest.mark.usefixtures("impatient")
def test_each_file_is_made_or_refused_and_the_reason_is_told(
    ann: Owner, stow: Terminal, files: FileServer, hanging_up: str, tmp_path: Path
) -> None:
    files.files["/plan.txt"] = File(b"a plan")
    files.files["/large.txt"] = File(b"x" * (1024 * 1024 + 1))
    urls = {
        "plan.txt": f"{files.origin}/plan.txt", "inside.txt": "http://169.254.169.254/latest",
        "large.txt": f"{files.origin}/large.txt", "gone.txt": f"{files.origin}/gone.txt", "hangs-up.txt": hanging_up,
    }  # fmt: skip
    ran, told = bring(stow, tmp_path, urls, "--files")
    assert [(source, outcome) for source, outcome, _ in told] == [
        ("trello:c1@0", "made"), *((f"trello:c1@{number}", "refused") for number in range(1, 5))
    ]  # fmt: skip
    reasons = ("address that is not public", "1048576 bytes", "404", "The connection ended without an answer")
    assert all(words in reason for (_, _, reason), words in zip(told[1:], reasons, strict=True)), told
    assert json.loads(ran.out)["counts"]["file"] == {"made": 1, "refused": 4}
    ann.tasks.activate_index()
    [task] = ann.tasks.list()
    [attached] = task.attachments
    asset = ann.client.assets.get(attached.id)
    assert (asset.filename, asset.visibility, asset.space_id) == ("plan.txt", "protected", task.space_id)
    assert all(url in (task.body or "") for url in urls.values())


def test_files_can_be_brought_later_and_are_brought_once(
    ann: Owner, stow: Terminal, files: FileServer, tmp_path: Path
) -> None:
    files.files |= {"/a.txt": File(b"a"), "/b.txt": File(b"b")}
    urls = {name: f"{files.origin}/{name}" for name in ("a.txt", "b.txt")}
    _, told = bring(stow, tmp_path, urls)
    assert ([outcome for _, outcome, _ in told], files.asked) == (["leftOut", "leftOut"], [])
    for outcome in ("made", "present"):
        ran, told = bring(stow, tmp_path, urls, "--files")
        assert [each[:2] for each in told] == [("trello:c1@0", outcome), ("trello:c1@1", outcome)]
        assert ran.one["counts"]["task"] == {"present": 1}
    assert sorted(files.asked) == ["/a.txt", "/b.txt"]
    ann.tasks.activate_index()
    [task] = ann.tasks.list()
    assert [ann.client.assets.get(each.id).filename for each in task.attachments] == ["a.txt", "b.txt"]
