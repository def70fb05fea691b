"""Bodies that only their owner's programs can read: the manual's reference code, run through the API.

The code under test is the one in docs/api/zero-knowledge.md; the layout is built here once more, from the text.
"""

import base64
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from stowboard_client import Client, EncryptedBody, IssuedToken, Task, errors
from support.clients.credentials import Issue, bearer
from support.servers.stowboard import Server

PAGE = (Path(__file__).parents[3] / "docs" / "api" / "zero-knowledge.md").read_text()
LARGEST = 262_396
SECRET = "The safe is behind the Vermeer.\n"


@pytest.fixture(scope="module")
def manual() -> SimpleNamespace:
    """The functions of the page's reference code."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    return SimpleNamespace(**names)


@pytest.fixture(scope="module")
def vector() -> dict[str, Any]:
    (found,) = re.findall(r"^```json vector\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    decoded: dict[str, Any] = json.loads(found)
    return decoded


@dataclass(frozen=True)
class Person:
    """An owner with a client of their own and a robot, and the one vault key that only the former has."""

    owner: str
    device: Client
    robot: Client
    token: IssuedToken
    robot_token: IssuedToken
    key: bytes
    key_id: str


@pytest.fixture
def meet(server: Server, issue: Issue, manual: SimpleNamespace) -> Iterator[Callable[[str], Person]]:
    opened: list[Client] = []

    def arrive(owner: str) -> Person:
        tokens = issue(owner, kind="interactive"), issue(owner)
        device, robot = (Client(server.origin, token.token) for token in tokens)
        opened.extend((device, robot))
        return Person(owner, device, robot, *tokens, *manual.new_key())

    yield arrive
    for client in opened:
        client.close()


@pytest.fixture
def ada(meet: Callable[[str], Person]) -> Person:
    return meet("ada")


def sealed_task(manual: SimpleNamespace, person: Person, text: str = SECRET) -> Task:
    """As the page says: create without a body, then seal for the id."""
    task = person.device.tasks.create("Where it is", visibility="zero-knowledge")
    envelope = sealed(manual, person, task.id, text)
    return person.device.tasks.update(task.id, encrypted_body=envelope, if_match=task.version)


def sealed(manual: SimpleNamespace, person: Person, task_id: str, text: str = SECRET) -> EncryptedBody:
    return msgspec.convert(manual.seal(person.key, person.key_id, person.owner, task_id, text), EncryptedBody)


def opened(manual: SimpleNamespace, person: Person, task_id: str, envelope: EncryptedBody | None, **other: Any) -> str:
    owner, key_id = other.get("owner", person.owner), other.get("key_id", person.key_id)
    wire = msgspec.to_builtins(envelope) | {"keyId": key_id}
    text: str = manual.unseal({key_id: other.get("key", person.key)}, owner, task_id, wire)
    return text


def test_a_sealed_body_is_stored_as_it_is_and_opens_again(manual: SimpleNamespace, ada: Person) -> None:
    for text in ("", SECRET, "ä" * 126, "🎁" * 63, "x" * 252, "x" * 253, "y" * LARGEST):
        task = sealed_task(manual, ada, text)
        read = ada.device.tasks.get(task.id)
        assert (read.body, read.has_body, read.visibility) == (None, True, "zero-knowledge")
        assert read.encrypted_body == task.encrypted_body
        assert opened(manual, ada, task.id, read.encrypted_body) == text


def test_a_body_of_one_byte_too_many_is_refused(manual: SimpleNamespace, ada: Person) -> None:
    with pytest.raises(errors.ValidationFailed, match="ciphertext"):
        sealed_task(manual, ada, "y" * (LARGEST + 1))


def test_an_envelope_opens_for_no_other_task_owner_or_key(manual: SimpleNamespace, ada: Person) -> None:
    task = sealed_task(manual, ada)
    envelope = ada.device.tasks.get(task.id).encrypted_body
    assert opened(manual, ada, task.id, envelope) == SECRET
    other_task = ada.device.tasks.create("Another", visibility="zero-knowledge")
    ada.device.tasks.update(other_task.id, encrypted_body=envelope)  # as a server that swaps bodies would
    swapped = ada.device.tasks.get(other_task.id).encrypted_body
    assert swapped == envelope
    with pytest.raises(manual.Unreadable):
        opened(manual, ada, other_task.id, swapped)
    for other in ({"owner": "bob"}, {"key_id": "another-name"}, {"key": bytes(32)}):
        with pytest.raises(manual.Unreadable):
            opened(manual, ada, task.id, envelope, **other)


def test_a_changed_envelope_does_not_open(manual: SimpleNamespace, vector: dict[str, Any]) -> None:
    envelope, key = vector["envelope"], manual.decode(vector["key"])
    keys = {envelope["keyId"]: key}
    text, nonce = envelope["ciphertext"], envelope["nonce"]
    assert text.endswith("E")
    changed = [
        {"ciphertext": _flipped(text)},
        {"ciphertext": text[:-4]},
        {"ciphertext": ""},
        {"ciphertext": text + "="},
        {"ciphertext": text[:-1] + "F"},  # the same bytes, written as no encoder writes them
        {"nonce": _flipped(nonce)},
        {"nonce": nonce + "AAAA"},
        {"nonce": nonce[:-1]},
        {"version": 2},
        {"algorithm": "A256CBC"},
        {"keyId": "unknown"},
    ]
    for change in changed:
        with pytest.raises(manual.Unreadable):
            manual.unseal(keys, vector["owner"], vector["taskId"], envelope | change)
    bound = manual.bound_to("stowboard-task-body", vector["owner"], vector["taskId"], envelope["keyId"])
    for padded in (b"\0\0\0\1x", b"\0\0\0\1x" + b"\1" * 251, b"\0\0\1\0" + bytes(252), bytes(512), bytes(255), b""):
        wrong = envelope | {"ciphertext": manual.encode(AESGCM(key).encrypt(manual.decode(nonce), padded, bound))}
        with pytest.raises(manual.Unreadable, match="padding"):
            manual.unseal(keys, vector["owner"], vector["taskId"], wrong)


def test_the_vector_of_the_page_is_what_its_text_describes(manual: SimpleNamespace, vector: dict[str, Any]) -> None:
    envelope, key = vector["envelope"], bytes(range(32))
    lines = ["stowboard-task-body", "1", "A256GCM", vector["owner"], vector["taskId"], envelope["keyId"]]
    content = vector["text"].encode()
    padded = (len(content).to_bytes(4, "big") + content).ljust(256, b"\0")
    sealed_here = AESGCM(key).encrypt(_bytes(envelope["nonce"]), padded, "\n".join(lines).encode())
    assert _bytes(vector["key"]) == key
    assert _bytes(envelope["ciphertext"]) == sealed_here
    assert manual.unseal({envelope["keyId"]: key}, vector["owner"], vector["taskId"], envelope) == vector["text"]


def test_a_key_file_opens_with_its_passphrase_alone(manual: SimpleNamespace, vector: dict[str, Any]) -> None:
    file, owner, passphrase = vector["keyFile"], vector["owner"], vector["passphrase"]
    assert passphrase == "gru\u0308ße"
    for same in (passphrase, "gr\u00fcße"):
        assert manual.unwrap_key(same, owner, file) == bytes(range(32))
    for phrase, someone in (("another phrase", owner), (passphrase, "bob")):
        with pytest.raises(manual.Unreadable):
            manual.unwrap_key(phrase, someone, file)
    key, key_id = manual.new_key()
    again = manual.wrap_key(passphrase, key, key_id, owner)
    assert manual.unwrap_key(passphrase, owner, again) == key


@pytest.mark.parametrize(
    "change",
    [{"iterations": 599_999}, {"iterations": 10_000_001}, {"salt": "AAAA"}, {"kdf": "PBKDF2-SHA1"}, {"version": 2}],
)
def test_a_weakened_key_file_is_refused(
    manual: SimpleNamespace, vector: dict[str, Any], change: dict[str, Any]
) -> None:
    with pytest.raises(manual.Unreadable, match=r"weak|unknown"):
        manual.unwrap_key(vector["passphrase"], vector["owner"], vector["keyFile"] | change)


def test_an_automation_token_is_shown_no_envelope_anywhere(
    server: Server, manual: SimpleNamespace, ada: Person
) -> None:
    task = sealed_task(manual, ada)
    ada.robot.tasks.activate_index()
    address = f"{server.base_url}/taskapp/tasks"
    with httpx2.Client(headers=bearer(ada.robot_token)) as robot, httpx2.Client(headers=bearer(ada.token)) as device:
        seen_by_robot = [
            robot.get(f"{address}/{task.id}"),
            robot.get(address),
            robot.patch(f"{address}/{task.id}", json={"title": "Moved"}),
            robot.patch(f"{address}/{task.id}/move", json={"status": "in_progress"}),
            robot.post(f"{address}/{task.id}/complete"),
            robot.post(f"{address}/{task.id}/archive"),
            robot.post(f"{address}/{task.id}/restore"),
        ]
        seen_by_device = [device.get(f"{address}/{task.id}"), device.get(address)]
    assert [answer.status_code for answer in (*seen_by_robot, *seen_by_device)] == [200] * 9
    assert not any("encryptedBody" in answer.text for answer in seen_by_robot)
    assert all("encryptedBody" in answer.text for answer in seen_by_device)
    assert seen_by_robot[0].json()["data"]["hasBody"] is True
    after = ada.device.tasks.get(task.id)
    assert (after.title, after.status, after.encrypted_body) == ("Moved", "done", task.encrypted_body)
    assert opened(manual, ada, task.id, after.encrypted_body) == SECRET


def test_nobody_writes_plaintext_and_automation_no_envelope(manual: SimpleNamespace, ada: Person) -> None:
    task = sealed_task(manual, ada)
    for client in (ada.device, ada.robot):
        with pytest.raises(errors.ZeroKnowledgeBody):
            client.tasks.update(task.id, body="plain")
        with pytest.raises(errors.ZeroKnowledgeBody):
            client.tasks.create("New", body="plain", visibility="zero-knowledge")
    with pytest.raises(errors.ZeroKnowledgeBody):
        ada.robot.tasks.update(task.id, encrypted_body=sealed(manual, ada, task.id, "forged"))
    with pytest.raises(errors.ZeroKnowledgeBody):
        ada.robot.tasks.update(task.id, encrypted_body=None)
    with pytest.raises(errors.ZeroKnowledgeBody):
        ada.robot.tasks.update(task.id, visibility="server-readable")
    assert ada.device.tasks.get(task.id).encrypted_body == task.encrypted_body


def test_a_readable_task_is_sealed_in_one_request_and_made_readable_again_in_one(
    manual: SimpleNamespace, ada: Person
) -> None:
    plain = ada.robot.tasks.create("Where it is", body=SECRET)
    envelope = sealed(manual, ada, plain.id)
    ada.device.tasks.update(plain.id, visibility="zero-knowledge", encrypted_body=envelope, if_match=plain.version)
    hidden = ada.robot.tasks.get(plain.id)
    assert (hidden.body, hidden.has_body) == (None, True)
    text = opened(manual, ada, plain.id, ada.device.tasks.get(plain.id).encrypted_body)
    ada.device.tasks.update(plain.id, visibility="server-readable", body=text)
    assert (ada.robot.tasks.get(plain.id).body, ada.device.tasks.get(plain.id).encrypted_body) == (SECRET, None)


def test_a_key_is_rotated_body_by_body(manual: SimpleNamespace, ada: Person) -> None:
    tasks = [sealed_task(manual, ada, f"secret {n}") for n in range(3)]
    key, key_id = manual.new_key()
    keys = {ada.key_id: ada.key, key_id: key}
    for task in tasks:
        text = manual.unseal(keys, ada.owner, task.id, msgspec.to_builtins(task.encrypted_body))
        envelope = msgspec.convert(manual.seal(key, key_id, ada.owner, task.id, text), EncryptedBody)
        ada.device.tasks.update(task.id, encrypted_body=envelope, if_match=task.version)
    ada.device.tasks.activate_index()
    ids = {task.id for task in tasks}
    rotated = {task.id: task.encrypted_body for task in ada.device.tasks.list(archived=True) if task.id in ids}
    assert [
        manual.unseal({key_id: key}, ada.owner, task.id, msgspec.to_builtins(rotated[task.id])) for task in tasks
    ] == ["secret 0", "secret 1", "secret 2"]


def _flipped(text: str) -> str:
    return ("B" if text[0] == "A" else "A") + text[1:]


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
