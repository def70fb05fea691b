"""A space with its files, written to a folder and brought in elsewhere."""

import json
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from stowboard_cli.media.sending import checksum_of
from stowboard_client import Client
from support.clients.space_people import people
from support.clients.terminal import Ran, Terminal
from support.media.unique_images import png
from support.media.video_files import video_file
from support.servers.stowboard import Server

SECRET = "not of the export"


@contextmanager
def moving(server: Server, folder: Path) -> Iterator[tuple[Client, Terminal, Client, Terminal]]:
    """Two people who share nothing: each with a client and a terminal, in their own space."""
    with (
        people(server, "alice", "bob") as (alice, bob),
        Client(server.origin, alice.browser.token()) as hers,
        Client(server.origin, bob.browser.token()) as his,
    ):
        terminals = [Terminal(server, folder / one.name, one.browser.token()) for one in (alice, bob)]
        yield hers.with_options(space="own"), terminals[0], his.with_options(space="own"), terminals[1]


def lines_of(folder: Path) -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in map(json.loads, (folder / "export.jsonl").read_text().splitlines())}


def bring(stow: Terminal, folder: Path, *more: str) -> tuple[Ran, Counter[tuple[str, str]]]:
    """Run the import; count its ledger by kind and outcome."""
    ledger = folder.with_name(f"{secrets.token_hex(4)}.jsonl")
    ran = stow("import", str(folder), "--yes", "--ledger", str(ledger), *more)
    lines = [json.loads(line) for line in ledger.read_text().splitlines()] if ledger.exists() else []
    return ran, Counter((line["kind"], line["outcome"]) for line in lines)


def test_a_space_with_its_files_is_written_out_and_made_again_elsewhere(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    with moving(server, tmp_path) as (alice, hers, bob, his):
        photo, film = png(), video_file()
        image = alice.upload(photo, filename="harbour.png", tags=["sea"], alt="Two boats", title="Harbour")
        common = alice.upload(secrets.token_bytes(100), filename="rules.bin", space="spc_library")
        (tmp_path / "clip.mp4").write_bytes(film)
        video = alice.videos.upload(tmp_path / "clip.mp4", "../../../Dawn", tags=["sea"])
        board = alice.boards.create("Trip", description="By boat")
        backlog = alice.boards.add_column(board.id, "Backlog", "todo", position=0)
        alice.boards.update_column(board.id, backlog.id, is_entry=True)
        alice.boards.remove_column(board.id, board.columns[0].id)
        sail = alice.tasks.create(
            "Sail", body="West", board_id=board.id, column_id=backlog.id, due_at=2082099600000, metadata={"a": "b"},
            attachments=[video.id, image.id, common.id], checklist=[{"title": "Rope", "done": True}], priority=2,
            reminders=[{"beforeDue": 60000}], time_zone="Europe/Berlin", tags=["sea"],
        )  # fmt: skip
        alice.tasks.create("Anchor", board_id=board.id, column_id=backlog.id, due_on="2035-12-24")
        for text in ("First.", "Second."):
            alice.comments.create(sail.id, text)
        alice.tasks.archive(alice.tasks.create("Old", status="done").id)

        ran = hers("export", "--folder", str(folder))
        assert (ran.code, ran.out) == (0, "")
        assert "1 board, 3 tasks, 2 comments, 3 files." in ran.err
        lines = lines_of(folder)
        assert Counter(line["kind"] for line in lines.values()) == {
            "board": 1, "task": 3, "comment": 2, "image": 1, "file": 1, "video": 1,
        }  # fmt: skip
        shown = [lines[image.id][name] for name in ("filename", "title", "alt", "tags", "checksum")]
        assert shown == ["harbour.png", "Harbour", "Two boats", ["sea"], image.checksum]
        for one, content in ((image, photo), (video, film)):
            file = folder / lines[one.id]["file"]
            assert (file.parent, file.read_bytes()) == (folder / "media", content)
            assert lines[one.id]["checksum"] == checksum_of(file)
        assert len(list((folder / "media").iterdir())) == 3

        assert bring(his, folder, "--dry-run")[0].one["media"] == 3
        assert not list(bob.assets.list())
        bob.tasks.activate_index()
        ran, counts = bring(his, folder)
        assert (ran.one["boards"], ran.one["tasks"], ran.one["present"]) == (1, 3, 0)
        assert ran.one["counts"]["comment"] == {"made": 2}
        assert counts == {("media", "made"): 3, ("board", "made"): 1, ("task", "made"): 3, ("file", "made"): 3}
        check_made(bob, photo, film)
        assert bob.tasks.get(next(iter(bob.tasks.list(archived="only"))).id).status == "done"

        ran, counts = bring(his, folder)
        assert (ran.one["present"], ran.one["counts"]["comment"]) == (3, {"present": 2})
        assert {outcome for _, outcome in counts} == {"present"}
        check_made(bob, photo, film)


def check_made(bob: Client, photo: bytes, film: bytes) -> None:
    """All of it, each once."""
    [board] = bob.boards.list()
    assert board.description == "By boat"
    assert [(one.name, one.is_entry, one.is_terminal) for one in board.columns] == [
        ("Backlog", True, False), ("In progress", False, False), ("Done", False, True),
    ]  # fmt: skip
    places = [place.task_id for place in bob.boards.placements(board.id)]
    tasks = {task.title: task for task in bob.tasks.list(archived=True)}
    sail = tasks["Sail"]
    assert places == [sail.id, tasks["Anchor"].id]
    assert tasks["Anchor"].due_on == "2035-12-24"
    assert (sail.body, sail.due_at, sail.time_zone, sail.priority) == ("West", 2082099600000, "Europe/Berlin", 2)
    assert (sail.tags, sail.metadata, [one.before_due for one in sail.reminders]) == (("sea",), {"a": "b"}, [60000])
    assert [(item.title, item.done) for item in sail.checklist] == [("Rope", True)]
    assert [one.body for one in bob.comments.list(sail.id)] == ["Second.", "First."]
    assets = {asset.filename: asset for asset in bob.assets.list()}
    [video] = bob.videos.list()
    image = assets["harbour.png"]
    assert [one.id for one in sail.attachments] == [video.id, image.id, assets["rules.bin"].id]
    assert (image.kind, image.title, image.alt, image.tags) == ("image", "Harbour", "Two boats", ("sea",))
    assert (image.visibility, image.size, len(assets)) == ("protected", len(photo), 2)
    assert (video.title, video.tags, video.size) == ("../../../Dawn", ("sea",), len(film))


def test_an_export_that_is_repeated_fetches_what_is_missing_or_damaged(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    with moving(server, tmp_path) as (alice, hers, _, _):
        sent = [alice.upload(secrets.token_bytes(100), filename=f"{name}.bin") for name in "abc"]
        hers("export", "--folder", str(folder))
        lines = lines_of(folder)
        gone, damaged, whole = (folder / lines[one.id]["file"] for one in sent)
        gone.unlink()
        damaged.write_bytes(b"?" * 100)
        ran = hers("export", "--folder", str(folder))
        assert Counter(line.split()[0] for line in ran.err.splitlines()[:-1]) == {"fetched": 2, "present": 1}
        assert f"present  media/{whole.name}" in ran.err
        assert lines_of(folder) == lines
        assert [checksum_of(path) for path in (gone, damaged, whole)] == [one.checksum for one in sent]


def test_an_export_of_somebody_else_sends_no_file_that_is_not_its_own(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    (tmp_path / "secret.txt").write_text(SECRET)
    with moving(server, tmp_path) as (alice, hers, bob, his):
        asset = alice.upload(b"harmless", filename="note.txt")
        alice.tasks.create("Read", attachments=[asset.id])
        hers("export", "--folder", str(folder))
        line = lines_of(folder)[asset.id]
        others = [line for line in lines_of(folder).values() if line["kind"] == "task"]
        (folder / "media" / "link").symlink_to(tmp_path / "secret.txt")
        named = [
            "../secret.txt",
            "media/../../secret.txt",
            str(tmp_path / "secret.txt"),
            "media/link",
            "media\0",
            "",
            7,
        ]
        hostile = [
            line | {"id": f"ast_{number}", "file": name, "checksum": checksum_of(tmp_path / "secret.txt")}
            for number, name in enumerate(named)
        ]
        changed = [line | {"id": "ast_changed", "checksum": f"sha256:{'0' * 64}"}]
        written = "\n".join(map(json.dumps, [*others, *hostile, *changed]))
        (folder / "export.jsonl").write_text(written)
        ran, counts = bring(his, folder)
        assert (ran.code, json.loads(ran.out)["counts"]["task"]) == (8, {"made": 1})
        assert counts == {("media", "refused"): len(named) + 1, ("file", "leftOut"): 1, ("task", "made"): 1}
        assert not list(bob.assets.list())
        bob.tasks.activate_index()
        [task] = bob.tasks.list()
        assert task.attachments == ()


def test_a_file_that_cannot_be_fetched_and_an_import_that_was_cut_off_lose_nothing_else(
    server: Server, tmp_path: Path
) -> None:
    folder = tmp_path / "export"
    with moving(server, tmp_path) as (alice, hers, bob, his), Client(server.origin, server.admin_token) as admin:
        locked = alice.upload(
            secrets.token_bytes(9), filename="locked.bin", space="spc_library", visibility="protected"
        )
        admin.delivery.bind_namespaces(locked.id, [])
        image = alice.upload(png(), filename="a.png", title="Anchor")
        task = alice.tasks.create("Look", attachments=[locked.id, image.id])
        for text in ("First.", "Second."):
            alice.comments.create(task.id, text)
        ran = hers("export", "--folder", str(folder))
        assert (ran.code, f"stow: {locked.id}: " in ran.err) == (8, True)
        line = lines_of(folder)[image.id]
        # The bytes were sent; then the line was cut.
        mark = {"importedFrom": line["checksum"]}
        sent = bob.uploads.image("a.png", (folder / line["file"]).read_bytes(), metadata=mark)
        for outcome in ("made", "present"):
            _, counts = bring(his, folder)
            assert (counts["media", "refused"], counts["media", "present"], counts["task", outcome]) == (1, 1, 1)
        bob.tasks.activate_index()
        [there] = bob.tasks.list()
        assert [one.body for one in bob.comments.list(there.id)] == ["Second.", "First."]
        assert [one.id for one in there.attachments] == [sent.id]
        assert [(asset.id, asset.title) for asset in bob.assets.list()] == [(sent.id, "Anchor")]
        bob.comments.delete(there.id, next(iter(bob.comments.list(there.id))).id)
        bring(his, folder)
        assert [one.body for one in bob.comments.list(there.id)] == ["First."], "what was deleted is not made again"


@pytest.mark.cluster_in_soak
@pytest.mark.parametrize("content", [None, "{", "[]", "7", '{"kind": "task"}', '{"kind": "?"}', '{"kind": []}', "\x00"])
def test_a_folder_that_is_no_export_is_refused(stow: Terminal, tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "export.jsonl").write_text(content)
    ran = stow("import", str(tmp_path), "--yes")
    assert (ran.code, ran.out, "Traceback" in ran.err) == (5, "", False)
