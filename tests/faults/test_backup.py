"""Backups of a service that runs, and restores: whole, of one moment, and refused if a byte of them is wrong."""

import contextlib
import hashlib
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import apsw
import pytest

from stowboard.blobs.disk import DiskBlobs
from stowboard.moving.backup import back_up
from stowboard.moving.snapshot_sqlite import open_sqlite_snapshot
from stowboard_client import Client
from support.clients.people import invited
from support.clients.writers import Writers
from support.servers.moving import at, command, done, files_in, fill, killed, refusal
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until
from support.webhooks.receiver import ALLOWED


@contextlib.contextmanager
def restless_uploads(server: Server) -> Iterator[list[str]]:
    """Files come and go all the time; the names of those that were answered and stay."""
    ending, kept = threading.Event(), []

    def work() -> None:
        with Client(server.origin, server.admin_token) as client:
            number = 0
            while not ending.is_set():
                number += 1
                asset = client.uploads.file(f"f{number}.bin", f"bytes {number}".encode() * 100)
                if number % 3:
                    client.assets.delete(asset.id)
                else:
                    kept.append(asset.filename)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield kept
    finally:
        ending.set()
        thread.join()


def test_a_backup_under_load_has_all_that_was_acknowledged_before_it(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server(UNLIMITED)
    with Writers(server, 3) as writers, restless_uploads(server) as uploaded:
        for number in range(2):
            wait_for_both(writers, uploaded)
            written, files = len(writers.writes), list(uploaded)
            done(server, "backup", str(tmp_path / "backup"))
            target = at(tmp_path / f"restored{number}", {})
            done(target, "restore", str(tmp_path / "backup"))
            names = {name for (name,) in rows(target, "SELECT name FROM access_token")}
            assert {write.name for write in writers.writes[:written]} <= names
            assert set(files) <= {name for (name,) in rows(target, "SELECT filename FROM asset")}
            check_bytes(target)
    assert writers.refusals == []
    target.start()
    try:
        with Client(target.origin, server.admin_token) as client:
            assert {asset.filename for asset in client.assets.list()} >= set(files)
    finally:
        target.kill()
        server.kill()


def wait_for_both(writers: Writers, uploaded: list[str]) -> None:
    """Until some more is written and uploaded."""
    written, files = len(writers.writes), len(uploaded)
    wait_until(lambda: len(writers.writes) > written + 20 and len(uploaded) > files)


def check_bytes(server: Server) -> None:
    """Each content has the bytes that its name says, and there are no others."""
    contents = dict(rows(server, "SELECT blob_key, sha256 FROM content"))
    blobs = server.data_dir / "blobs"
    assert files_in(blobs).keys() >= contents.keys()
    for key, sha256 in contents.items():
        assert hashlib.sha256((blobs / key).read_bytes()).hexdigest() == sha256


@pytest.fixture
def source(tmp_path: Path) -> Server:
    """An embedded installation with some files, not running."""
    place = at(tmp_path / "source", {})
    done(place, "upgrade")
    done(place, "token", "create", "--owner", "ann")
    fill(place, tokens=50, files=5)
    return place


def test_a_second_backup_brings_what_is_new_and_removes_what_is_gone(source: Server, tmp_path: Path) -> None:
    done(source, "backup", str(tmp_path / "backup"))
    before = files_in(tmp_path / "backup/blobs")
    assert before == files_in(source.data_dir / "blobs"), "on one disk they are the same files"
    gone = rows(source, "DELETE FROM content WHERE blob_key = (SELECT min(blob_key) FROM content) RETURNING blob_key")
    (new,) = fill(source, files=1)
    done(source, "backup", str(tmp_path / "backup"))
    after = files_in(tmp_path / "backup/blobs")
    assert after.keys() == before.keys() - {gone[0][0]} | {new}
    assert len(list((tmp_path / "backup").glob("rows-*"))) == 1
    target = at(tmp_path / "target", {})
    done(target, "restore", str(tmp_path / "backup"))
    assert files_in(target.data_dir / "blobs").keys() == after.keys()


def test_a_backup_that_was_killed_leaves_the_one_before_it_whole(source: Server, tmp_path: Path) -> None:
    done(source, "backup", str(tmp_path / "backup"))
    first = files_in(tmp_path / "backup/blobs")
    rows(source, f"DELETE FROM content WHERE blob_key = '{min(first)}'")
    fill(source, files=150)
    copied = tmp_path / "backup/blobs"
    killed(source, lambda: len(files_in(copied)) > 20, "backup", str(tmp_path / "backup"))
    target = at(tmp_path / "target", {})
    done(target, "restore", str(tmp_path / "backup"))
    assert files_in(target.data_dir / "blobs").keys() == first.keys()
    done(source, "backup", str(tmp_path / "backup"))
    assert len(files_in(copied)) == 154


def test_a_restore_that_was_killed_is_not_served_and_goes_on(source: Server, tmp_path: Path) -> None:
    fill(source, files=100)
    done(source, "backup", str(tmp_path / "backup"))
    target = at(tmp_path / "target", {})
    restored = target.data_dir / "blobs"
    killed(target, lambda: len(files_in(restored)) > 5, "restore", str(tmp_path / "backup"))
    before = files_in(restored)
    assert "restore into this installation was begun" in refusal(target, "token", "list")
    done(target, "restore", str(tmp_path / "backup"))
    assert before.items() <= files_in(restored).items()
    assert len(files_in(restored)) == 105
    assert "is in use" in refusal(target, "restore", str(tmp_path / "backup"))


@pytest.mark.parametrize("word", ["backup", "export"])
@pytest.mark.parametrize("damage", ["flipped", "missing"])
def test_damage_is_refused_with_the_name_of_the_file(source: Server, tmp_path: Path, word: str, damage: str) -> None:
    done(source, word, str(tmp_path / "whole"))
    rows_name = json.loads((tmp_path / "whole/manifest.json").read_text())["rows"]
    of_rows = rows_name if word == "backup" else f"{rows_name}/access_token.jsonl.gz"
    for number, name in enumerate([of_rows, "blobs.db", f"blobs/{max(files_in(tmp_path / 'whole/blobs'))}"]):
        broken = tmp_path / f"broken{number}"
        shutil.copytree(tmp_path / "whole", broken)
        if damage == "missing":
            (broken / name).unlink()
        else:
            flip(broken / name, 5 if name == "blobs.db" else -5)
        target = at(tmp_path / f"target{number}", {})
        said = refusal(target, {"backup": "restore", "export": "import"}[word], str(broken))
        assert str(broken / name) in said
        assert damage.replace("flipped", "damaged") in said
        if "blobs/" in name:
            assert "not finished" in refusal(target, "token", "list")
        else:
            done(target, "upgrade")


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def test_lost_files_are_told_of_and_the_rest_is_kept(source: Server, tmp_path: Path) -> None:
    lost, *others = sorted(files_in(source.data_dir / "blobs"))
    (source.data_dir / "blobs" / lost).unlink()
    result = command(source, "backup", str(tmp_path / "backup"))
    assert result.exit_code == 1
    assert lost in result.stderr
    target = at(tmp_path / "target", {})
    assert "1 more were lost before" in done(target, "restore", str(tmp_path / "backup"))
    assert sorted(files_in(target.data_dir / "blobs")) == others


def test_a_rehearsed_restore_has_nothing_left_that_tells_anybody(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server(UNLIMITED | ALLOWED)
    invited(server, "ann").close()
    with Client(server.origin, server.admin_token) as client:
        client.webhooks.create("http://127.0.0.1:9999/", ["task.*"])
    rows(server, "UPDATE account SET email = 'ann@example.org', email_confirmed_at = 1")
    rows(
        server,
        "INSERT INTO delivery (destination_id, message_id, position, type, subject, about, status, attempts, tries,"
        " created_at) VALUES ('whk_1', 'evt_1', 1, 'task.created', 'tsk_1', '[]', 'pending', 0, 0, 1)",
    )
    rows(
        server,
        "INSERT INTO job (id, queue, kind, args, due, created_at)"
        " VALUES ('job_1', 'deliver', 'deliveries.deliver', '{}', 9000000000000, 1)",
    )
    done(server, "backup", str(tmp_path / "backup"))
    told = []
    for number, options in enumerate([(), ("--rehearsal",)]):
        target = at(tmp_path / f"restored{number}", {})
        done(target, "restore", str(tmp_path / "backup"), *options)
        left = ("webhook", "delivery", "job WHERE kind = 'deliveries.deliver'", "account WHERE email <> ''")
        told.append([len(rows(target, f"SELECT 1 FROM {each}")) for each in left])
    assert told == [[1, 1, 1, 1], [0, 0, 0, 0]]


def test_an_upload_that_was_on_its_way_ends_after_a_restore(source: Server, tmp_path: Path) -> None:
    rows(
        source,
        "INSERT INTO upload (id, token_digest, purpose, subject, state, generation, blob_key, handle, parts, length,"
        " received, holder, space, created_by, made_through, created_at, updated_at, expires_at)"
        " VALUES ('upl_1', x'00', 'asset', 'ast_1', 'open', 0, 'asset/00/01m7exd4rw13k29w5zhv2jyt00', 'h', 1, 9, 5,"
        " 'me', 'spc_library', 'o', '', 1, 1, 9000000000000)",
    )
    done(source, "backup", str(tmp_path / "backup"))
    target = at(tmp_path / "target", {})
    done(target, "restore", str(tmp_path / "backup"))
    assert rows(target, "SELECT state, expires_at, handle, holder FROM upload") == [("open", 0, None, None)]


def test_a_backup_is_for_the_embedded_database(tmp_path: Path) -> None:
    place = at(tmp_path, {"STOWBOARD_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/x"})
    for word in ("backup", "restore"):
        assert "docs/operations.md" in refusal(place, word, str(tmp_path / "backup"))


class Quiet:
    """Nobody looks how far it is."""

    def begin(self, what: str, total: int, unit: Literal["rows", "bytes"]) -> None:
        pass

    def advance(self, amount: int) -> None:
        pass


async def test_the_copy_is_of_the_moment_that_named_the_files(source: Server, tmp_path: Path) -> None:
    async with open_sqlite_snapshot(source.data_dir / "stowboard.db") as snapshot:
        fill(source, files=1)
        snapshot.copy_to(tmp_path / "copy.db", Quiet())
        (before,) = await snapshot.all("SELECT count(*) FROM content")
    copy = apsw.Connection(str(tmp_path / "copy.db"))
    assert copy.execute("SELECT count(*) FROM content").fetchall() == [before] == [(5,)]
    copy.close()


async def test_a_file_that_vanishes_before_it_is_copied_is_not_in_the_backup_nor_its_row(
    source: Server, tmp_path: Path
) -> None:
    class Meddler(Quiet):
        """A file comes while others are copied, and goes when the snapshot that names it was taken."""

        steps = 0

        def begin(self, what: str, total: int, unit: Literal["rows", "bytes"]) -> None:
            self.steps += 1
            if self.steps == 1:
                (self.key,) = fill(source, files=1)
            elif self.steps == 2:
                rows(source, f"DELETE FROM content WHERE blob_key = '{self.key}'")
                (source.data_dir / "blobs" / self.key).unlink()

    store = DiskBlobs(source.data_dir / "blobs")
    manifest, not_whole = await back_up(source.data_dir / "stowboard.db", store, tmp_path / "backup", Meddler())
    await store.close()
    assert (manifest.blobs, manifest.missing, *not_whole) == (5, 0, [], [])
    copy = apsw.Connection(str(tmp_path / "backup" / manifest.rows))
    assert copy.execute("SELECT count(*) FROM content").fetchall() == [(5,)]
    copy.close()
