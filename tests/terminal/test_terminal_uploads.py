"""Files to the server and back, also when the command is killed or the network is cut in the middle."""

import filecmp
import json
import os
import secrets
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from stowboard_cli.media.sending import checksum_of
from stowboard_client import Client
from support.clients.task_owner import Owner
from support.clients.terminal import Terminal
from support.media.unique_images import png
from support.media.video_files import video_file
from support.servers.fault_proxy import CutAfter, Delay, FaultProxy, Pass
from support.servers.stowboard import Server
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak
PIECE = 8 * 1024 * 1024
MEBIBYTE = 1024 * 1024


@pytest.fixture
def proxy(server: Server) -> Iterator[FaultProxy]:
    with FaultProxy("127.0.0.1", server.port) as proxy:
        yield proxy


@pytest.fixture
def far(ann: Owner, proxy: FaultProxy, tmp_path: Path) -> Terminal:
    """A terminal behind a network that fails."""
    return Terminal(ann.server, tmp_path / "far", ann.token, f"http://127.0.0.1:{proxy.port}")


def written(path: Path, size: int) -> Path:
    """A file that no other test has, and no piece of which is like another."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for at in range(0, size, MEBIBYTE):
            file.write(secrets.token_bytes(min(size - at, MEBIBYTE)))
    return path


def bytes_of(client: Client, asset_id: str) -> bytes:
    return httpx2.get(client.delivery.url(asset_id).url, timeout=60).content


def test_a_folder_is_sent_and_sent_again_makes_nothing_new(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    folder, tag = tmp_path / "files", secrets.token_hex(6)
    written(folder / "a.bin", 1000)
    written(folder / "deep" / "b.bin", 5 * MEBIBYTE)
    written(folder / ".hidden", 10)
    sent = stow("upload", str(folder), "--tag", tag, "--protected")
    assert sorted(line["filename"] for line in sent.lines) == ["a.bin", "b.bin"]
    assert {line["visibility"] for line in sent.lines} == {"protected"}
    again = stow("upload", str(folder), "--tag", tag, "--protected")
    assert sorted(line["id"] for line in again.lines) == sorted(line["id"] for line in sent.lines)
    assert len(stow("ls", "--tag", tag).lines) == 2
    for line in sent.lines:
        assert bytes_of(ann.client, line["id"]) == Path(line["path"]).read_bytes()


def test_what_is_there_already_is_not_sent_from_another_machine_either(
    ann: Owner, far: Terminal, proxy: FaultProxy, tmp_path: Path
) -> None:
    folder, tag = tmp_path / "files", secrets.token_hex(6)
    for number in range(51):  # more than one question is about
        written(folder / f"{number}.bin", 20_000)
    large = written(folder / "large.bin", 5 * MEBIBYTE)
    (folder / "same.bin").write_bytes(large.read_bytes())
    for path in (large, folder / "7.bin"):
        ann.client.upload(path, tags=[tag])
    before = proxy.total
    first = far("upload", str(folder), "--tag", tag)
    assert proxy.total - before < 3 * MEBIBYTE
    assert [line["outcome"] for line in first.lines].count("present") == 3
    assert "50 sent; 3 skipped, as there already: 10.5 MB not sent." in first.err
    assert f"present  {large}" in first.err
    elsewhere = Terminal(ann.server, tmp_path / "elsewhere", ann.token, f"http://127.0.0.1:{proxy.port}")
    (folder / "0.bin").rename(folder / "renamed.bin")
    before = proxy.total
    again = elsewhere("upload", str(folder), "--tag", "another")
    assert proxy.total - before < MEBIBYTE // 4
    assert {line["outcome"] for line in again.lines} == {"present"}
    assert "0 sent; 53 skipped" in again.err
    assert len(list(ann.client.assets.list(tags=tag))) == 52


def test_files_with_the_same_bytes_are_one_asset_unless_all_are_wanted(stow: Terminal, tmp_path: Path) -> None:
    file = written(tmp_path / "files" / "a.bin", 1000)
    (tmp_path / "files" / "b.bin").write_bytes(file.read_bytes())
    sent = stow("upload", str(tmp_path / "files"), "--jobs", "2").lines
    assert sorted(line["outcome"] for line in sent) == ["present", "uploaded"]
    assert len({line["id"] for line in sent}) == 1
    again = stow("upload", str(tmp_path / "files"), "--again").lines
    assert [line["outcome"] for line in again] == ["uploaded", "uploaded"]
    assert len({line["id"] for line in (*sent, *again)}) == 3


def test_patterns_standard_input_and_pictures(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    (tmp_path / "x.png").write_bytes(png(4, 3))
    written(tmp_path / "y.bin", 10)
    [line] = stow("upload", str(tmp_path / "*.png")).lines
    assert (line["kind"], line["mimeType"]) == ("image", "image/png")
    assert stow("upload", str(tmp_path / "*.none")).code == 4
    assert stow("upload", "-").code == 2
    with (tmp_path / "y.bin").open("rb") as given, stow.begin("upload", "-", "--name", "i.txt", stdin=given) as process:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert '"filename":"i.txt"' in out


def test_one_that_fails_leaves_the_others(stow: Terminal, tmp_path: Path) -> None:
    written(tmp_path / "good.bin", 100)
    written(tmp_path / "bad.png", 100)
    ran = stow("upload", str(tmp_path / "good.bin"), str(tmp_path / "bad.png"))
    assert ran.code == 8
    assert len(ran.out.splitlines()) == 1
    assert "bad.png" in ran.err
    assert stow("upload", str(tmp_path / "bad.png")).code == 5


def test_what_is_fetched_is_what_was_sent(stow: Terminal, tmp_path: Path) -> None:
    file = written(tmp_path / "in" / "a.bin", 100_000)
    asset = stow("upload", str(file)).one
    out = tmp_path / "out"
    out.mkdir()
    assert stow("download", asset["id"], "-o", str(out)).one["outcome"] == "downloaded"
    assert (out / "a.bin").read_bytes() == file.read_bytes()
    assert stow("download", asset["id"], "-o", str(out)).one["outcome"] == "present"
    (out / "a.bin").write_text("another")
    assert stow("download", asset["id"], "-o", str(out)).code == 5
    assert stow("download", asset["id"], "-o", str(out), "--force").code == 0
    assert sorted(path.name for path in out.iterdir()) == ["a.bin"]


def test_assets_are_tagged_replaced_linked_and_removed(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    asset = stow("upload", str(written(tmp_path / "a.bin", 1000))).one
    assert stow("tag", asset["id"], "--add", "x").code == 0
    assert stow("tag", asset["id"], "ast_00000000000000000000000000", "--add", "y").code == 8
    assert stow("show", asset["id"]).one["tags"] == ["x", "y"]
    assert httpx2.get(stow("url", asset["id"]).out.strip()).content == (tmp_path / "a.bin").read_bytes()
    other = written(tmp_path / "b.bin", 5 * MEBIBYTE)
    assert stow("replace", asset["id"], str(other)).one["version"] == 2
    assert bytes_of(ann.client, asset["id"]) == other.read_bytes()
    assert stow("open", asset["id"]).out.startswith(ann.server.origin)
    assert stow("rm", asset["id"]).one == {"trashed": 1, "missing": []}
    assert [one["id"] for one in stow("ls", "--trashed", "--limit", "1").lines] == [asset["id"]]
    assert stow("restore", asset["id"]).one == {"restored": 1, "missing": []}
    assert stow("rm", asset["id"], "--forever").code == 2
    assert stow("rm", asset["id"], "--forever", "--yes").code == 0
    assert stow("rm", asset["id"], "--forever", "--yes").code == 4
    assert stow("rm", asset["id"]).code == 4
    assert stow("upload", str(tmp_path / "a.bin")).one["id"] != asset["id"]


def check_bytes(stow: Terminal, asset: dict[str, Any], file: Path) -> None:
    """That the server has those of the file."""
    copy = file.with_name("copy")
    assert asset["checksum"] == checksum_of(file)
    assert stow("download", asset["id"], "-o", str(copy)).code == 0
    assert filecmp.cmp(copy, file, shallow=False)


def test_a_command_that_is_killed_is_given_again_elsewhere_and_sends_the_rest(
    ann: Owner, far: Terminal, proxy: FaultProxy, tmp_path: Path
) -> None:
    size = 3 * PIECE
    file = written(tmp_path / "big.bin", size)
    proxy.fault = CutAfter(size // 2)
    with far.begin("upload", str(file)) as process:
        wait_until(lambda: proxy.passed >= size // 2)
        process.kill()
    proxy.fault = Pass()
    elsewhere = Terminal(ann.server, tmp_path / "elsewhere", ann.token, f"http://127.0.0.1:{proxy.port}")
    asset = elsewhere("upload", str(file)).one
    assert proxy.total <= size + PIECE + MEBIBYTE
    check_bytes(elsewhere, asset, file)


@pytest.mark.soak
def test_a_gibibyte_is_sent_by_commands_that_are_killed(server: Server, stow: Terminal, tmp_path: Path) -> None:
    """Pieces are counted by the server's log."""
    file, before = written(tmp_path / "big.bin", 1024 * MEBIBYTE), pieces(server)
    for share in (32, 80):
        with stow.begin("upload", str(file)) as process:
            wait_until(lambda: pieces(server) - before >= share)  # noqa: B023  it is called in this round alone
            process.kill()
    asset = stow("upload", str(file)).one
    assert pieces(server) - before <= 128 + 2
    check_bytes(stow, asset, file)


@pytest.mark.soak
def test_a_gibibyte_is_sent_over_a_network_that_is_cut_and_goes_away(
    far: Terminal, proxy: FaultProxy, tmp_path: Path
) -> None:
    size, cuts = 1024 * MEBIBYTE, 6
    file = written(tmp_path / "big.bin", size)
    with far.begin("upload", str(file)) as process:
        for cut in range(1, cuts + 1):
            wait_until(lambda: proxy.total >= size * cut // (cuts + 1))  # noqa: B023  it is called in this round alone
            if cut % 2:
                proxy.refuse()
            proxy.reset_all()
            if cut % 2:
                wait_until(lambda: proxy.open_links == 0)
                proxy.accept()
        out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    assert proxy.total <= size + cuts * PIECE + MEBIBYTE
    check_bytes(far, json.loads(out), file)


def pieces(server: Server) -> int:
    return server.log().count('"method":"PATCH","path":"/uploads/tus/{token}"')


def test_a_network_that_is_cut_costs_no_more_than_a_piece(far: Terminal, proxy: FaultProxy, tmp_path: Path) -> None:
    size = 3 * PIECE
    file = written(tmp_path / "big.bin", size)
    proxy.fault = CutAfter(size // 4)
    with far.begin("upload", str(file)) as process:
        wait_until(lambda: proxy.passed >= size // 4)
        proxy.fault = CutAfter(size // 3)
        wait_until(lambda: proxy.passed >= size // 3)
        proxy.fault = Pass()
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    asset = json.loads(out)
    assert asset["outcome"] == "uploaded"
    assert proxy.total <= size + 2 * PIECE + MEBIBYTE
    check_bytes(far, asset, file)


def test_a_video_is_sent_once_and_plays(stow: Terminal, tmp_path: Path) -> None:
    file = tmp_path / f"{secrets.token_hex(6)}.mp4"
    file.write_bytes(video_file())
    video = stow("video", "upload", str(file), "--tag", "x").one
    assert (video["title"], video["tags"]) == (file.stem, ["x"])
    assert stow("video", "upload", str(file), "--tag", "x").one["id"] == video["id"]
    assert stow("video", "status", video["id"], "--wait").one["status"] == "ready"
    assert httpx2.get(stow("video", "url", video["id"]).out.strip()).text.startswith("#EXTM3U")
    assert stow("rm", video["id"]).code == 0
    assert stow("restore", video["id"]).code == 0
    assert stow("rm", video["id"], "--forever", "--yes").code == 0
    assert stow("video", "upload", str(file), "--tag", "x").one["id"] != video["id"]


def test_ctrl_c_stops_at_once_and_says_how_to_go_on(far: Terminal, proxy: FaultProxy, tmp_path: Path) -> None:
    file = written(tmp_path / "big.bin", 20 * MEBIBYTE)
    proxy.fault = Delay(0.2)  # for each of hundreds of chunks: it is still under way, however late we look
    with far.begin("upload", str(file)) as process:
        wait_until(lambda: proxy.passed >= MEBIBYTE)
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "The same command goes on where it was." in err


def test_progress_is_drawn_on_a_terminal(stow: Terminal, tmp_path: Path) -> None:
    code, seen = stow.on_screen("upload", str(written(tmp_path / "a.bin", 9 * MEBIBYTE)))
    assert code == 0
    assert "of 1 file " in seen
    assert "MB/s" in seen
    assert "uploaded" in seen


def test_what_appears_in_a_watched_folder_is_sent(ann: Owner, stow: Terminal, tmp_path: Path) -> None:
    folder, tag = tmp_path / "watched", secrets.token_hex(6)
    written(folder / "a.bin", 10)
    with stow.begin("upload", str(folder), "--watch", "--tag", tag) as process:
        wait_until(lambda: len(list(ann.client.assets.list(tags=tag))) == 1)
        written(folder / "b.bin", 20)
        wait_until(lambda: len(list(ann.client.assets.list(tags=tag))) == 2)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 130
