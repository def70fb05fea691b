"""The service cannot tell what it does not know: bodies of zero-knowledge tasks, and plaintexts of old."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import httpx2
import pytest

from stowboard_client import Client, EncryptedBody, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.servers.stacks import on_postgres
from support.servers.stowboard import Server
from support.stored.rows import rows

TASKS = "/taskapp/tasks"
SEALED = EncryptedBody(
    version=1, algorithm="A256GCM", key_id="k1", nonce="AAAAAAAAAAAAAAAA", ciphertext="c2VhbGVk" * 40
)
PRIVATE: Final = "zero-knowledge"


@pytest.fixture
def callers(ann: Owner, ann_herself: Client) -> list[Client]:
    """Automation, and the person herself."""
    return [ann.client, ann_herself]


def test_a_plaintext_is_refused_from_anyone_and_nothing_is_stored(ann: Owner, callers: list[Client]) -> None:
    for client in callers:
        with pytest.raises(errors.ZeroKnowledgeBody):
            client.tasks.create("Diary", visibility=PRIVATE, body="plain")
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(0,)]
    task = ann.tasks.create("Diary", visibility=PRIVATE)
    readable = ann.tasks.create("Note", body="plain")
    for client in callers:
        with pytest.raises(errors.ZeroKnowledgeBody):
            client.tasks.update(task.id, body="plain", title="Changed")
        for body in ("plain", "another", ""):
            with pytest.raises(errors.ZeroKnowledgeBody):
                client.tasks.update(readable.id, visibility=PRIVATE, body=body)
    assert ann.tasks.get(task.id) == task
    assert ann.tasks.get(readable.id) == readable


def test_the_refusal_names_what_helps(ann: Owner) -> None:
    answer = ann.http.post(TASKS, json={"title": "Diary", "visibility": PRIVATE, "body": "plain"})
    assert error_of(answer) == (403, "zero_knowledge_body")
    assert "encryptedBody" in message_of(answer)
    assert "plain" not in message_of(answer).replace("plaintext", "")


def test_an_envelope_is_written_and_read_by_the_person_alone(ann: Owner, ann_herself: Client) -> None:
    task = ann_herself.tasks.create("Diary", visibility=PRIVATE, encrypted_body=SEALED)
    assert (task.encrypted_body, task.body, task.has_body) == (SEALED, None, True)
    seen = data_of(ann.http.get(f"{TASKS}/{task.id}"))
    assert "encryptedBody" not in seen
    assert (seen["body"], seen["hasBody"]) == (None, True)
    for change in (SEALED, EncryptedBody(version=1, algorithm="x", key_id="k", nonce="AA", ciphertext="AA"), None):
        with pytest.raises(errors.ZeroKnowledgeBody):
            ann.tasks.update(task.id, encrypted_body=change)
    with pytest.raises(errors.ZeroKnowledgeBody):
        ann.tasks.create("Diary", visibility=PRIVATE, encrypted_body=SEALED)
    assert ann_herself.tasks.get(task.id) == task
    assert not ann_herself.tasks.update(task.id, encrypted_body=None).has_body


def test_only_a_zero_knowledge_task_has_an_envelope(ann_herself: Client) -> None:
    with pytest.raises(errors.ValidationFailed, match="encryptedBody"):
        ann_herself.tasks.create("Diary", encrypted_body=SEALED)
    task = ann_herself.tasks.create("Note", body="plain")
    assert task.encrypted_body is None
    with pytest.raises(errors.ValidationFailed, match="encryptedBody"):
        ann_herself.tasks.update(task.id, encrypted_body=SEALED)
    turned = ann_herself.tasks.update(task.id, encrypted_body=SEALED, visibility=PRIVATE)
    assert (turned.body, turned.encrypted_body) == (None, SEALED)


def test_automation_manages_everything_else_and_leaves_the_envelope_as_it_was(ann: Owner, ann_herself: Client) -> None:
    ann.tasks.activate_index()
    board = ann.boards.create("House")
    task = ann_herself.tasks.create(
        "Diary", visibility=PRIVATE, encrypted_body=SEALED, recurrence="FREQ=DAILY", due_at=5
    )
    stored = f"SELECT encrypted_body FROM task WHERE id = '{task.id}'"
    before = rows(ann.server, stored)
    answers = [
        ann.http.patch(f"{TASKS}/{task.id}", json={"title": "Changed", "tags": ["x"], "dueAt": 9, "reminder": 8}),
        ann.http.patch(f"{TASKS}/{task.id}", json={"body": None, "clearReminder": True, "visibility": PRIVATE}),
        ann.http.patch(f"{TASKS}/{task.id}/move", json={"status": "in_progress", "board": board.id}),
        ann.http.post(f"{TASKS}/{task.id}/complete"),
        ann.http.post(f"{TASKS}/{task.id}/archive"),
        ann.http.post(f"{TASKS}/{task.id}/restore"),
        ann.http.get(f"{TASKS}/{task.id}"),
    ]
    for answer in answers:
        seen = data_of(answer)
        assert (seen["body"], seen["hasBody"]) == (None, True)
        assert "encryptedBody" not in seen
        assert SEALED.ciphertext not in answer.text
    assert rows(ann.server, stored) == before
    assert ann_herself.tasks.get(task.id).encrypted_body == SEALED


def test_a_list_shows_envelopes_to_the_person_alone(ann: Owner, ann_herself: Client) -> None:
    ann.tasks.activate_index()
    ann_herself.tasks.create("Diary", visibility=PRIVATE, encrypted_body=SEALED)
    ann.tasks.create("Note", body="plain")
    seen = data_of(ann.http.get(TASKS))
    assert [(task["body"], "encryptedBody" in task) for task in seen] == [("plain", False), (None, False)]
    assert [task.encrypted_body for task in ann_herself.tasks.list()] == [None, SEALED]
    assert list(ann_herself.tasks.list(q="diary")) == []


def test_no_search_finds_what_was_made_private(ann: Owner, ann_herself: Client) -> None:
    ann.tasks.activate_index()
    task = ann.tasks.create("Note", body="needle")
    assert [found.id for found in ann.tasks.list(q="NEEDLE")] == [task.id]
    ann.tasks.update(task.id, visibility=PRIVATE)
    for client in (ann.client, ann_herself):
        assert list(client.tasks.list(q="needle")) == []
    sealed = ann_herself.tasks.update(task.id, encrypted_body=SEALED)
    assert sealed.encrypted_body is not None
    assert list(ann_herself.tasks.list(q=SEALED.ciphertext[:20])) == []


@pytest.mark.parametrize("operation", ["create", "patch", "archive", "complete", "retry by body key"])
def test_kept_answers_replay_without_the_body_that_was_made_private(ann: Owner, operation: str) -> None:
    def ask() -> httpx2.Response:
        headers = {"idempotency-key": "kept"}
        match operation:
            case "create":
                return ann.http.post(
                    TASKS, json={"title": "Note", "body": "canary", "idempotencyKey": "n"}, headers=headers
                )
            case "retry by body key":
                return ann.http.post(TASKS, json={"title": "x", "idempotencyKey": "n"}, headers=headers)
            case "patch":
                return ann.http.patch(f"{TASKS}/{task_id}", json={"title": "Changed"}, headers=headers)
            case verb:
                return ann.http.post(f"{TASKS}/{task_id}/{verb}", headers=headers)

    if operation == "create":
        first = ask()
        task_id = first.json()["data"]["id"]
    else:
        task_id = ann.tasks.create("Note", body="canary", key="n").id
        first = ask()
    assert first.json()["data"]["body"] == "canary"
    ann.tasks.update(task_id, visibility=PRIVATE)
    again = ask()
    assert again.headers["idempotent-replayed"] == "true"
    assert again.status_code == first.status_code
    wanted = first.json()
    wanted["data"]["body"] = None
    assert again.json() == wanted


def test_a_task_becomes_readable_again_only_without_an_envelope_or_by_the_person(
    ann: Owner, ann_herself: Client
) -> None:
    empty = ann.tasks.create("Diary", visibility=PRIVATE)
    readable = ann.tasks.update(empty.id, visibility="server-readable", body="plain")
    assert (readable.body, readable.visibility, readable.has_body) == ("plain", "server-readable", True)
    sealed = ann_herself.tasks.create("Diary", visibility=PRIVATE, encrypted_body=SEALED)
    with pytest.raises(errors.ZeroKnowledgeBody):
        ann.tasks.update(sealed.id, visibility="server-readable")
    assert ann_herself.tasks.get(sealed.id) == sealed
    opened = ann_herself.tasks.update(sealed.id, visibility="server-readable", body="opened")
    assert (opened.body, opened.encrypted_body) == ("opened", None)
    assert ann.tasks.get(sealed.id).body == "opened"


def test_events_carry_no_text(ann: Owner) -> None:
    task = ann.tasks.create("canary title", body="canary body", tags=["canary"])
    ann.tasks.update(task.id, body="canary again")
    found = rows(ann.server, f"SELECT data FROM event WHERE subject = '{task.id}'")
    assert len(found) == 2
    assert not any(b"canary" in bytes(data) for (data,) in found)


@pytest.mark.parametrize("size", [30, 3000, 60_000])
def test_a_plaintext_that_was_made_private_is_nowhere_any_more(ann: Owner, size: int) -> None:
    """In no table, and on SQLite in no byte of its files."""
    canary = "canary" + secrets.token_hex(10)
    ann.tasks.activate_index()
    bystanders = [ann.tasks.create(f"Other {n}", body="b" * size).id for n in range(10)]
    task = ann.tasks.create("Note", body=(canary + " ") * (size // 26), idempotency_key="kept")
    ann.tasks.update(task.id, body=f"now {canary}" + "x" * size, idempotency_key="kept too")
    ann.tasks.archive(task.id, idempotency_key="kept as well")
    for bystander in bystanders[::2]:
        ann.tasks.delete(bystander)
    assert traces(ann.server, canary)
    assert any(canary in str(change.before) for change in ann.client.changes.list(subject=task.id))
    ann.tasks.update(task.id, visibility=PRIVATE)
    assert traces(ann.server, canary) == []
    ann.tasks.create("Life goes on", body="b" * size)
    assert traces(ann.server, canary) == []


def test_no_undo_brings_back_what_was_forgotten_or_sealed(ann: Owner, ann_herself: Client) -> None:
    task = ann.tasks.create("Note", body="plain")
    ann.tasks.update(task.id, body="plainer", title="Diary")
    ann.tasks.update(task.id, visibility=PRIVATE)
    ann_herself.tasks.update(task.id, encrypted_body=SEALED)
    for change in list(ann.client.changes.list(subject=task.id)):
        assert {"body", "encryptedBody", "visibility"}.isdisjoint(change.before or {})
        with pytest.raises(errors.Conflict, match=r"not kept|Changed since"):
            ann_herself.changes.undo(change.id)
    assert ann_herself.tasks.get(task.id).encrypted_body == SEALED


def test_answers_that_are_kept_at_the_very_moment_of_the_switch_have_no_plaintext_either(ann: Owner) -> None:
    for attempt in range(5):
        canary, key = "canary" + secrets.token_hex(10), f"n{attempt}"
        task = ann.tasks.create("Note", body=canary, key=key)

        def ask(number: int, task_id: str = task.id, key: str = key) -> int:
            if number == 10:
                return ann.http.patch(f"{TASKS}/{task_id}", json={"visibility": PRIVATE}).status_code
            retry = {"title": "x", "idempotencyKey": key}
            return ann.http.post(TASKS, json=retry, headers={"idempotency-key": f"{key}-{number}"}).status_code

        with ThreadPoolExecutor(10) as pool:
            assert set(pool.map(ask, range(24))) == {200}
        assert traces(ann.server, canary) == []


def traces(server: Server, canary: str) -> list[str]:
    """The tables, or files, in which the text is."""
    if on_postgres(server):
        tables = [name for (name,) in rows(server, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
        # A row as text shows bytes in hexadecimal.
        wanted = f"t::text LIKE '%{canary}%' OR t::text LIKE '%{canary.encode().hex()}%'"
        looks = (f"SELECT '{name}' FROM {name} AS t WHERE {wanted}" for name in tables)
        return [name for (name,) in rows(server, " UNION ".join(looks))]
    files = [Path(f"{server.data_dir}/stowboard.db{suffix}") for suffix in ("", "-wal", "-shm")]
    return [file.name for file in files if file.exists() and canary.encode() in file.read_bytes()]
