"""Settings, Import: files of other programs are looked at, brought in, and found again."""

import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import expect

from support.api.answers import data_of
from support.clients.terminal import Terminal
from support.console.settings import line
from support.console.visitor import PHONE, Visitor
from support.imports import sample, sample_json
from support.outgoing.file_server import File, FileServer
from support.waiting import wait_until

Visit = Callable[..., Visitor]
FILE = "The file that the other program exported: choose it, or drop it here"


def choose(visitor: Visitor, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    visitor.page.get_by_label(FILE).set_input_files(file)


def numbers(visitor: Visitor, kind: str) -> list[int]:
    """Refused, left out, made, there already."""
    cells = visitor.page.get_by_role("row").filter(has_text=kind).get_by_role("cell")
    return [int(text) for text in cells.all_inner_texts()]


def shared_space(visitor: Visitor, other: Visitor) -> str:
    with visitor.api() as api:
        space: str = data_of(api.post("/spaces", json={"name": "Home"}), 201)["id"]
        data_of(api.post(f"/spaces/{space}/members", json={"username": other.name, "role": "editor"}), 201)
    with other.api() as api:
        data_of(api.post("/spaces/join", json={"spaceId": space}))
    return space


def tasks_in(api: httpx2.Client, space: str) -> dict[str, dict[str, Any]]:
    data_of(api.post("/taskapp/task-index/backfill", params={"spaceId": space}))
    found = data_of(api.get("/taskapp/tasks", params={"spaceId": space, "archived": "true"}))
    return {task["title"]: task for task in found}


def test_a_board_is_looked_at_brought_in_and_found_again(visit: Visit, tmp_path: Path) -> None:
    visitor, other = visit(), visit()
    space = shared_space(visitor, other)
    visitor.go("/boards")
    visitor.role("link", "Import from another program").click()
    visitor.calls.clear()
    choose(visitor, "board.json", sample("trello.json"))
    expect(visitor.page.get_by_text("1 board, 4 tasks, 2 comments, 1 attachment.")).to_be_visible()
    visitor.page.get_by_label("Space", exact=True).select_option("Home")
    visitor.page.get_by_label("anna", exact=True).select_option(other.name)
    assert [call for call in visitor.calls if not call.startswith(("GET ", "POST /imports"))] == []
    assert visitor.axe() == []
    visitor.role("button", "Import").press("Enter")
    expect(visitor.page.get_by_text("The import is done.")).to_be_focused()
    assert (numbers(visitor, "Boards"), numbers(visitor, "Tasks")) == ([0, 0, 1, 0], [0, 0, 4, 0])
    assert (numbers(visitor, "Comments"), numbers(visitor, "Assignees")) == ([0, 0, 2, 0], [0, 1, 1, 0])
    assert numbers(visitor, "Attachments") == [0, 1, 0, 0]
    expect(line(visitor, "Ledger", "Nobody was chosen for otto.")).to_contain_text("Plant a tree")
    assert visitor.axe() == []
    with visitor.api() as api:
        [board] = data_of(api.get("/taskapp/boards", params={"spaceId": space}))
        found = tasks_in(api, space)
        assert (found["Plant a tree"]["assignees"], len(found)) == ([other.name], 4)
        bearer = api.headers["authorization"].removeprefix("Bearer ")
    visitor.role("button", "Import").click()
    wait_until(lambda: numbers(visitor, "Tasks") == [0, 0, 0, 4])
    with visitor.page.expect_download() as saved:
        visitor.role("button", "Save as a file").click()
    lines = [json.loads(each) for each in Path(saved.value.path()).read_text().splitlines()]
    assert Counter((each["kind"], each["outcome"]) for each in lines)["task", "present"] == 4
    (tmp_path / "board.json").write_bytes(sample("trello.json"))
    stow = Terminal(visitor.server, tmp_path / "stow", bearer)
    assert stow("import", str(tmp_path / "board.json"), "--yes", "--space", "Home").one["present"] == 4
    line(visitor, "Ledger", "Garden").get_by_role("link", name="Open").click()
    expect(visitor.page.get_by_role("heading", name="Garden")).to_be_visible()
    assert board["id"] in visitor.page.url


def test_files_of_every_kind_are_known_and_what_is_left_out_is_told(visit: Visit) -> None:
    visitor = visit(viewport=PHONE)
    visitor.go("/settings/import")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data.json", sample("vikunja.json"))
    choose(visitor, "export.zip", packed.getvalue())
    expect(visitor.page.get_by_text("2 boards, 2 tasks, 1 comment, 0 attachments.")).to_be_visible()
    visitor.page.get_by_label("Garden").uncheck()
    visitor.role("button", "Import").click()
    expect(visitor.page.get_by_text("The import is done.")).to_be_visible()
    assert numbers(visitor, "Boards") == [0, 1, 1, 0]
    choose(visitor, "Home.csv", sample("Home.csv"))
    expect(visitor.page.get_by_text("1 board, 3 tasks")).to_be_visible()
    for reason, content in (("'x' is not a file that can be imported", b"{}"), ("the ZIP is damaged", b"PK\x03\x04")):
        choose(visitor, "x", content)
        expect(visitor.page.get_by_role("alert")).to_contain_text(reason)
    choose(visitor, "list.ics", sample("list.ics"))
    visitor.role("button", "Import").click()
    expect(visitor.page.get_by_text("The import is done.")).to_be_visible()
    assert (numbers(visitor, "Tasks"), numbers(visitor, "Repetitions")) == ([0, 0, 3, 0], [0, 1, 0, 0])
    expect(line(visitor, "Ledger", "Hourly").filter(has_text="repetition")).to_contain_text("left out")
    assert visitor.axe() == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_file_is_dropped_and_the_server_fetches_its_attachments_once(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/settings/import")
    with FileServer() as elsewhere:
        elsewhere.files["/plan.pdf"] = File(b"a plan")
        board = sample_json("trello.json")
        board["cards"][0]["attachments"] = [
            {"name": "plan.pdf", "url": f"{elsewhere.origin}/plan.pdf"},
            {"name": "gone.pdf", "url": f"{elsewhere.origin}/gone.pdf"},
        ]
        made = """(text) => {
          const dropped = new DataTransfer();
          dropped.items.add(new File([text], 'board.json'));
          return dropped;
        }"""
        transfer = visitor.page.evaluate_handle(made, json.dumps(board))
        visitor.page.get_by_label(FILE).dispatch_event("drop", {"dataTransfer": transfer})
        visitor.page.get_by_label("Have the server fetch the attachments").check()
        visitor.role("button", "Import").click()
        expect(visitor.page.get_by_text("The import is done.")).to_be_visible(timeout=60_000)
        assert numbers(visitor, "Attachments") == [1, 0, 1, 0]
        visitor.role("button", "Import").click()
        wait_until(lambda: numbers(visitor, "Tasks") == [0, 0, 0, 4])
        assert numbers(visitor, "Attachments") == [1, 0, 0, 1]
        assert elsewhere.asked.count("/plan.pdf") == 1
    with visitor.api() as api:
        assert len(tasks_in(api, "own")["Plant a tree"]["attachments"]) == 1
    assert [call for call in visitor.calls if "upload/presigned" in call or "upload/file" in call] == []
