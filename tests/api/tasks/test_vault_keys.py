"""Wrapped vault keys: kept for a person's own clients, never replaced by another key."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.credentials import Issue, bearer
from support.clients.people import audit_of, fresh_name
from support.servers.stowboard import Server

PATH = "/api/v1/taskapp/vault-keys"


def key_file(key_id: str = "first", **changes: Any) -> dict[str, Any]:
    return {
        "version": 1, "algorithm": "A256GCM", "keyId": key_id, "kdf": "PBKDF2-SHA256", "iterations": 600_000,
        "salt": "AAECAwQFBgcICQoLDA0ODw", "nonce": "ZGVmZ2hpamtsbW5v", "ciphertext": "A" * 64, **changes,
    }  # fmt: skip


@pytest.fixture
def device(server: Server, issue: Issue) -> Iterator[httpx2.Client]:
    token = issue(fresh_name("dora"), kind="interactive").token
    with httpx2.Client(base_url=server.origin, headers=bearer(token)) as client:
        yield client


def test_a_key_is_kept_found_and_wrapped_anew(server: Server, device: httpx2.Client) -> None:
    assert data_of(device.get(PATH)) == []
    assert data_of(device.post(PATH, json=key_file()), 201)["keyFile"] == key_file()
    assert error_of(device.post(PATH, json=key_file(salt="BBBB"))) == (409, "conflict")
    device.post(PATH, json=key_file("second"))
    anew = data_of(device.patch(f"{PATH}/first", json=key_file(salt="CCCC")))
    assert anew["keyFile"]["salt"] == "CCCC"
    assert [each["keyFile"] for each in data_of(device.get(PATH))] == [key_file(salt="CCCC"), key_file("second")]
    assert error_of(device.patch(f"{PATH}/first", json=key_file("second"))) == (400, "validation_failed")
    assert error_of(device.patch(f"{PATH}/third", json=key_file("third"))) == (404, "not_found")
    assert data_of(device.delete(f"{PATH}/first")) == {"id": "first", "deleted": True}
    assert error_of(device.delete(f"{PATH}/first")) == (404, "not_found")
    assert [entry["action"] for entry in audit_of(server, subject="first", limit=3)] == [
        "vault_key.delete", "vault_key.change", "vault_key.create",
    ]  # fmt: skip


def test_nobody_else_and_no_automation_sees_a_key(
    server: Server, device: httpx2.Client, web: httpx2.Client, issue: Issue
) -> None:
    owner = data_of(device.get("/api/v1/access/token"))["owner"]
    device.post(PATH, json=key_file())
    robot, other = bearer(issue(owner).token), bearer(issue("somebody else", kind="interactive").token)
    asked = [("GET", PATH, None), ("POST", PATH, key_file("x")), ("PATCH", f"{PATH}/first", key_file())]
    for method, path, body in [*asked, ("DELETE", f"{PATH}/first", None)]:
        assert error_of(web.request(method, path, json=body, headers=robot)) == (403, "zero_knowledge_body")
    assert key_file() not in [each["keyFile"] for each in data_of(web.get(PATH, headers=other))]
    assert error_of(web.patch(f"{PATH}/first", json=key_file(), headers=other)) == (404, "not_found")


def test_what_cannot_be_the_id_of_a_key_is_not_found(device: httpx2.Client) -> None:
    for key_id in ("%00", "%C3%BC", "a" * 65):
        assert error_of(device.delete(f"{PATH}/{key_id}")) == (404, "not_found")


def test_the_number_of_keys_and_their_form_are_bounded(device: httpx2.Client) -> None:
    for number in range(20):
        assert device.post(PATH, json=key_file(f"key-{number}")).status_code == 201
    assert error_of(device.post(PATH, json=key_file("one-more"))) == (409, "conflict")
    for wrong in ({"keyId": "a b"}, {"keyId": ""}, {"salt": "=="}, {"ciphertext": "A" * 1001}, {"iterations": 0}):
        assert error_of(device.post(PATH, json=key_file(**wrong))) == (400, "validation_failed")
