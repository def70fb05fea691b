"""Sealed texts: what a browser seals, Python opens, and the other way round; the server never sees it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from support.clients.people import Browser
from support.console.visitor import Visitor
from support.servers.stowboard import Server
from support.stored.rows import rows

Visit = Callable[..., Visitor]
PAGE = (Path(__file__).parents[2] / "docs" / "api" / "zero-knowledge.md").read_text()
PASSPHRASE = "six random words make a passphrase"
SECRET = "The safe is behind the Vermeer. 🎁"


@pytest.fixture(scope="module")
def manual() -> SimpleNamespace:
    """The reference code of the manual, which needs nothing but `cryptography`."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    return SimpleNamespace(**names)


class Device:
    """Another program of the same person, with the same rights."""

    def __init__(self, visitor: Visitor) -> None:
        self._browser = Browser(visitor.origin)
        assert self._browser.sign_in(visitor.name).is_success
        self._bearer = self._browser.bearer()

    def key_file(self) -> dict[str, Any]:
        [key] = self._ask("GET", "vault-keys")
        found: dict[str, Any] = key["keyFile"]
        return found

    def task(self, title: str) -> dict[str, Any]:
        [task] = [each for each in self._ask("GET", "tasks") if each["title"] == title]
        found: dict[str, Any] = task
        return found

    def change(self, task: dict[str, Any], **body: Any) -> None:
        self._ask("PATCH", f"tasks/{task['id']}", body)

    def _ask(self, method: str, what: str, body: Any = None) -> Any:
        answer = self._browser.request(method, f"/api/v1/taskapp/{what}", json=body, headers=self._bearer)
        assert answer.is_success, answer.text
        return answer.json()["data"]


def open_task(visitor: Visitor, title: str) -> None:
    visitor.go("/tasks?view=all")
    visitor.page.get_by_label("Title of the new task").fill(title)
    visitor.role("button", "New task").click()
    visitor.role("link", title).click()
    visitor.page.get_by_label("Text (Markdown)").wait_for()


def set_passphrase(visitor: Visitor, tmp_path: Path) -> Path:
    """Returns the recovery file."""
    visitor.go("/settings/encryption")
    visitor.role("button", "Set a passphrase").click()
    type_new(visitor, PASSPHRASE)
    visitor.role("button", "Set it").click()
    with visitor.page.expect_download() as download:
        visitor.role("button", "Save the recovery file").click()
    file = tmp_path / "recovery.json"
    download.value.save_as(file)
    visitor.role("button", "Done").click()
    return file


def type_new(visitor: Visitor, passphrase: str) -> None:
    visitor.page.get_by_label("New passphrase, 12 characters or more").fill(passphrase)
    visitor.page.get_by_label("Repeat the passphrase").fill(passphrase)


def unlock(visitor: Visitor, passphrase: str = PASSPHRASE) -> None:
    visitor.page.get_by_label("Passphrase", exact=True).fill(passphrase)
    visitor.role("button", "Unlock").click()


def test_a_text_is_sealed_by_the_browser_opened_by_python_and_the_other_way_round(
    visit: Visit, console_server: Server, manual: SimpleNamespace, tmp_path: Path
) -> None:
    visitor = visit()
    set_passphrase(visitor, tmp_path)
    device = Device(visitor)
    open_task(visitor, "Where it is")
    text = visitor.page.get_by_label("Text (Markdown)", exact=True)
    text.fill(SECRET)
    with visitor.page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
        text.blur()
    # The page was loaded again, so it is locked.
    visitor.role("button", "Seal the text").click()
    unlock(visitor, "not the passphrase")
    expect(visitor.page.get_by_text("The passphrase is wrong.")).to_be_visible()
    unlock(visitor)
    visitor.role("button", "Seal").click()
    sealed = visitor.page.get_by_label("Sealed text (Markdown)")
    expect(sealed).to_have_text(SECRET)
    assert visitor.axe() == []

    task, key_file = device.task("Where it is"), device.key_file()
    assert (task["visibility"], task["body"]) == ("zero-knowledge", None)
    key = manual.unwrap_key(PASSPHRASE, visitor.name, key_file)
    keys = {key_file["keyId"]: key}
    assert manual.unseal(keys, visitor.name, task["id"], task["encryptedBody"]) == SECRET
    with pytest.raises(manual.Unreadable):
        manual.unwrap_key("not the passphrase", visitor.name, key_file)
    assert "Vermeer" not in json.dumps([list(map(str, row)) for row in rows(console_server, "SELECT * FROM task")])

    answer = "Not any more: it was moved."
    device.change(task, encryptedBody=manual.seal(key, key_file["keyId"], visitor.name, task["id"], answer))
    expect(sealed).to_have_text(answer)
    visitor.role("button", "Edit").click()
    sealed.fill("Then I will ask.")
    with visitor.page.expect_response(lambda reply: reply.request.method == "PATCH" and reply.ok):
        sealed.blur()
    envelope = device.task("Where it is")["encryptedBody"]
    assert manual.unseal(keys, visitor.name, task["id"], envelope) == "Then I will ask."

    # A text that was sealed for another place is said to be unreadable, and nothing is written over it.
    device.change(task, encryptedBody=manual.seal(key, key_file["keyId"], visitor.name, "tsk_other", "swapped"))
    expect(visitor.page.get_by_text("This text cannot be read")).to_be_visible()
    device.change(task, encryptedBody=envelope)
    expect(sealed).to_have_text("Then I will ask.")
    visitor.role("button", "Lock").click()
    expect(sealed).to_have_count(0)
    unlock(visitor)
    with visitor.page.expect_response(lambda reply: reply.request.method == "PATCH" and reply.ok):
        visitor.role("button", "Let the server read it").click()
    expect(visitor.page.get_by_label("Text (Markdown)", exact=True)).to_have_text("Then I will ask.")
    assert device.task("Where it is")["body"] == "Then I will ask."


def test_a_sealed_text_that_is_not_saved_stays_in_its_field_and_nowhere_else(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    page = visitor.page
    set_passphrase(visitor, tmp_path)
    open_task(visitor, "Where it is")
    visitor.role("button", "Seal the text").click()
    unlock(visitor)
    visitor.role("button", "Seal").click()
    sealed = page.get_by_label("Sealed text (Markdown)")
    refusal = {"error": {"code": "conflict", "message": "Somebody was faster."}}
    page.route("**/api/v1/**", lambda route: (
        route.fulfill(status=409, json=refusal) if route.request.method == "PATCH" else route.fallback()
    ))  # fmt: skip
    sealed.fill(SECRET)
    sealed.blur()
    expect(sealed).to_have_accessible_description("Not saved. Somebody was faster.")
    expect(sealed).to_have_value(SECRET)
    assert "Vermeer" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    page.unroute_all()
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and answer.ok):
        visitor.role("button", "Save sealed text (markdown)").click()
    expect(page.get_by_text("Not saved.")).to_have_count(0)
    page.reload()
    unlock(visitor)
    expect(sealed).to_have_text(SECRET)


def test_a_passphrase_is_changed_and_a_forgotten_one_replaced_by_the_recovery_file(
    visit: Visit, manual: SimpleNamespace, tmp_path: Path
) -> None:
    visitor = visit(color_scheme="dark")
    recovery = set_passphrase(visitor, tmp_path)
    device = Device(visitor)
    key = manual.unwrap_key(PASSPHRASE, visitor.name, device.key_file())
    assert manual.decode(json.loads(recovery.read_text())["key"]) == key

    visitor.role("button", "Change the passphrase").click()
    visitor.page.get_by_label("Present passphrase").fill(PASSPHRASE)
    type_new(visitor, "another passphrase of mine")
    visitor.role("button", "Change it").click()
    expect(visitor.page.get_by_text("The passphrase is another one now")).to_be_visible()
    assert manual.unwrap_key("another passphrase of mine", visitor.name, device.key_file()) == key

    visitor.role("button", "I forgot it").click()
    visitor.page.get_by_label("Recovery file", exact=True).set_input_files(recovery)
    type_new(visitor, PASSPHRASE)
    visitor.role("button", "Set it").click()
    expect(visitor.role("button", "Set it")).to_have_count(0)
    assert manual.unwrap_key(PASSPHRASE, visitor.name, device.key_file()) == key
    visitor.page.reload()
    expect(visitor.page.get_by_text("Locked.")).to_be_visible()
    assert visitor.axe() == []
    unlock(visitor)
    expect(visitor.role("button", "Lock")).to_be_visible()


def test_without_https_it_is_said_why_nothing_can_be_sealed(visit: Visit) -> None:
    visitor = visit()
    # As a browser has it at http:// and an address of a network.
    visitor.page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})")
    visitor.go("/settings/encryption")
    notice = visitor.page.get_by_text("Sealed texts need HTTPS")
    expect(notice).to_contain_text("Open the console at its https address, or ask the operator for one.")
    expect(notice).not_to_contain_text("/")
    open_task(visitor, "Plain")
    visitor.role("button", "Seal the text").click()
    expect(visitor.page.get_by_text("Sealed texts need HTTPS")).to_be_visible()
    assert visitor.axe() == []
