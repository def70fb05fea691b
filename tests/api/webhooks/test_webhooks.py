"""Webhooks over HTTP: what can be asked for, what is refused, and what arrives."""

from typing import Any

import httpx2
import pytest
from standardwebhooks import Webhook as Oracle

from stowboard_client import Client, WebhookInvalid, verify
from stowboard_client.errors import ApiError, InsufficientScope, NotFound, ValidationFailed
from support.api.answers import data_of, error_of, message_of
from support.api.space_matrix import PNG
from support.clients.credentials import bearer
from support.clients.space_people import people
from support.clients.task_owner import Owner
from support.servers.stowboard import Server
from support.waiting import wait_until
from support.webhooks.receiver import Answer, Receiver

NEVER = "whk_7zzzzzzzzzzzzzzzzzzzzzzzzz"
ELSEWHERE = "https://hooks.example.com/in"
OPERATIONS: list[tuple[str, str, Any]] = [
    ("GET", "", None),
    ("PATCH", "", {"name": "mine now"}),
    ("POST", "/rotate-secret", None),
    ("POST", "/test", None),
    ("POST", "/replay", {"failed": True}),
    ("GET", "/deliveries", None),
    ("GET", "/deliveries/evt_7zzzzzzzzzzzzzzzzzzzzzzzzz", None),
    ("POST", "/deliveries/evt_7zzzzzzzzzzzzzzzzzzzzzzzzz/replay", None),
    ("DELETE", "", None),
]


def test_what_happens_arrives_signed_and_can_be_verified(ann: Owner, receiver: Receiver) -> None:
    webhook = ann.client.webhooks.create(receiver.url, ["task.*"], name="mine")
    task = ann.tasks.create("Water the plants")
    ann.tasks.complete(task.id)
    wait_until(lambda: len(receiver.received) == 2)
    for received in receiver.received:
        Oracle(webhook.secret).verify(received.body, received.headers)
    events = [verify(webhook.secret, received.headers, received.body) for received in receiver.received]
    assert [event.type for event in events] == ["task.created", "task.completed"]
    assert {event.subject for event in events} == {task.id}
    assert events[0].resource is None
    assert events[0].sequence < events[1].sequence
    assert "Water" not in receiver.received[0].body.decode()
    with pytest.raises(WebhookInvalid):
        verify(webhook.secret, receiver.received[0].headers, receiver.received[0].body + b" ")


def test_a_delivery_is_the_event_of_the_feed(ann: Owner, receiver: Receiver) -> None:
    begin = ann.http.get("/events").json()["meta"]["nextCursor"]
    ann.client.webhooks.create(receiver.url, ["task.*", "board.*"])
    ann.tasks.create("a")
    ann.boards.create("b")
    wait_until(lambda: len(receiver.received) == 2)
    listed = ann.http.get("/events", params={"cursor": begin}).json()["data"]
    by_id = {event["id"]: event for event in listed}
    assert {received.id: received.event for received in receiver.received} == by_id


def test_the_resource_is_included_as_it_is_at_delivery(ann: Owner, receiver: Receiver) -> None:
    ann.client.webhooks.create(receiver.url, ["*"], include="resource")
    task = ann.tasks.create("Secret plan", body="in words")
    wait_until(lambda: len(receiver.received) == 1)
    assert receiver.received[0].event["resource"] == ann.http.get(f"/taskapp/tasks/{task.id}").json()["data"]
    board = ann.boards.create("Plans")
    ann.tasks.delete(task.id)
    wait_until(lambda: len(receiver.received) == 3)
    shown = {received.event["type"]: received.event["resource"] for received in receiver.received}
    assert shown["board.created"] == ann.http.get(f"/taskapp/boards/{board.id}").json()["data"]
    assert shown["task.deleted"] is None


def test_an_included_picture_can_be_fetched_after_a_member_has_left(hook_server: Server, receiver: Receiver) -> None:
    """Whoever leaves ends every signature of the space's media: those made later have to count."""
    with people(hook_server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ann.add(home, ben)
        data_of(ben.api.delete(f"/spaces/{home}/members/{ben.name}"))
        hook = {"url": receiver.url, "types": ["media.*"], "include": "resource", "spaceId": home}
        data_of(ann.api.post("/webhooks", json=hook), 201)
        image = {"filename": "harbour.png", "data": PNG, "spaceId": home}
        asset = data_of(ann.api.post("/media/upload/image", json=image), 201)
        wait_until(lambda: bool(receiver.received))
        shown = receiver.received[0].event["resource"]
        assert (shown["id"], shown["visibility"]) == (asset["id"], "protected")
        assert httpx2.get(shown["thumbnailUrl"], follow_redirects=True).status_code == 200


def test_the_body_of_a_zero_knowledge_task_is_not_included(ann: Owner, receiver: Receiver) -> None:
    ann.client.webhooks.create(receiver.url, ["task.*"], include="resource")
    ann.tasks.create("t", visibility="zero-knowledge")
    wait_until(lambda: len(receiver.received) == 1)
    resource = receiver.received[0].event["resource"]
    assert resource["body"] is None
    assert "encryptedBody" not in resource


def test_a_webhook_is_told_what_its_token_could_see(hook_server: Server, ann: Owner, receiver: Receiver) -> None:
    with Client(hook_server.origin, hook_server.admin_token) as admin:
        token = admin.tokens.create(ann.name, scopes=["webhooks:manage", "media:read"]).token
    with Client(hook_server.origin, token) as limited:
        limited.webhooks.create(receiver.url, ["*"])
        with pytest.raises(InsufficientScope, match="tasks:read"):
            limited.webhooks.create(receiver.url, ["task.*"])
        ann.tasks.create("unseen")
        asset = ann.client.uploads.file("a.txt", b"hello")
        wait_until(lambda: any(received.event["subject"] == asset.id for received in receiver.received))
    assert not [received for received in receiver.received if received.event["type"].startswith("task.")]


def test_a_token_without_the_scope_manages_none(hook_server: Server, ann: Owner) -> None:
    with Client(hook_server.origin, hook_server.admin_token) as admin:
        token = admin.tokens.create(ann.name, scopes=["tasks:write", "media:write"]).token
    with Client(hook_server.origin, token) as limited, pytest.raises(InsufficientScope, match="webhooks:manage"):
        limited.webhooks.create(ELSEWHERE, ["*"])


def test_only_a_token_with_the_webhooks_scopes_changes_replays_or_reads_its_log(
    hook_server: Server, ann: Owner, receiver: Receiver
) -> None:
    webhook = ann.client.webhooks.create(ELSEWHERE, ["task.*"])
    ann.tasks.create("Secret plan", body="in words")
    with Client(hook_server.origin, hook_server.admin_token) as admin:
        token = admin.tokens.create(ann.name, scopes=["webhooks:manage"]).token
    with httpx2.Client(base_url=hook_server.base_url, headers=bearer(token)) as limited:
        stolen = {"url": receiver.url, "include": "resource"}
        assert error_of(limited.patch(f"/webhooks/{webhook.id}", json=stolen)) == (403, "insufficient_scope")
        for method, tail, body in OPERATIONS:
            answer = limited.request(method, f"/webhooks/{webhook.id}{tail}", json=body)
            if (method, tail) in (("GET", ""), ("DELETE", "")):
                assert answer.status_code == 200
                continue
            assert error_of(answer) == (403, "insufficient_scope")
            assert "media:read" in message_of(answer)


def test_another_owners_webhook_is_not_there(ann: Owner, ben: Owner) -> None:
    webhook = ben.client.webhooks.create(ELSEWHERE, ["*"], name="bens")
    for webhook_id in (webhook.id, NEVER, "x"):
        for method, tail, body in OPERATIONS:
            answer = ann.http.request(method, f"/webhooks/{webhook_id}{tail}", json=body)
            assert error_of(answer) == (404, "not_found")
    assert list(ann.client.webhooks.list()) == []
    assert ben.client.webhooks.get(webhook.id).name == "bens"


def test_webhooks_are_listed_read_changed_and_deleted(ann: Owner) -> None:
    made = [ann.client.webhooks.create(ELSEWHERE, ["task.*"], name=name) for name in "abc"]
    assert [each.name for each in ann.client.webhooks.list(limit=2)] == ["c", "b", "a"]
    assert "secret" not in ann.http.get(f"/webhooks/{made[0].id}").json()["data"]
    changed = ann.client.webhooks.update(made[0].id, types=["board.*"], name=None, include="resource", enabled=False)
    assert (changed.types, changed.name, changed.include) == (("board.*",), "", "resource")
    assert (changed.enabled, changed.disabled_reason) == (False, "owner")
    again = ann.client.webhooks.update(made[0].id, enabled=True)
    assert (again.enabled, again.disabled_reason, again.types) == (True, None, ("board.*",))
    ann.client.webhooks.delete(made[0].id)
    with pytest.raises(NotFound):
        ann.client.webhooks.get(made[0].id)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"types": ["*"]}, "url"),
        ({"url": "https://example.com"}, "types"),
        ({"url": "https://example.com", "types": []}, "types"),
        ({"url": "https://example.com", "types": ["task.finished"]}, "task.finished"),
        ({"url": "https://example.com", "types": ["task*"]}, "task*"),
        ({"url": "https://example.com", "types": ["*"] * 51}, "types"),
        ({"url": "ftp://example.com", "types": ["*"]}, "url"),
        ({"url": "https://169.254.169.254/latest/meta-data", "types": ["*"]}, "address that is not public"),
        ({"url": "https://10.0.0.1/", "types": ["*"]}, "address that is not public"),
        ({"url": "https://[::1]/", "types": ["*"]}, "address that is not public"),
        ({"url": "https://0x7f.1/", "types": ["*"]}, "url"),
        ({"url": "https://user:pass@example.com/", "types": ["*"]}, "url"),
        ({"url": "http://93.184.215.14/", "types": ["*"]}, "https"),
        ({"url": "https://example.com", "types": ["*"], "include": "everything"}, "include"),
        ({"url": "https://example.com", "types": ["*"], "name": "a\nb"}, "name"),
    ],
)
def test_what_cannot_be_a_webhook_is_refused_by_name(ann: Owner, body: dict[str, Any], named: str) -> None:
    answer = ann.http.post("/webhooks", json=body)
    assert error_of(answer) == (400, "validation_failed")
    assert named in message_of(answer)


def test_a_change_to_a_forbidden_address_is_refused(ann: Owner) -> None:
    webhook = ann.client.webhooks.create(ELSEWHERE, ["*"])
    with pytest.raises(ValidationFailed, match="address that is not public"):
        ann.client.webhooks.update(webhook.id, url="https://192.168.1.1/")
    assert ann.client.webhooks.get(webhook.id).url == ELSEWHERE


@pytest.mark.cluster_in_soak
def test_an_owner_has_a_hundred_webhooks_at_most(ann: Owner) -> None:
    for _ in range(100):
        ann.client.webhooks.create(ELSEWHERE, ["*"])
    with pytest.raises(ApiError, match="delete one first") as refusal:
        ann.client.webhooks.create(ELSEWHERE, ["*"])
    assert (refusal.value.status, refusal.value.code) == (409, "conflict")


def test_a_retried_creation_makes_one_webhook_and_tells_the_same_secret(ann: Owner) -> None:
    first = ann.client.webhooks.create(ELSEWHERE, ["*"], idempotency_key="once")
    assert ann.client.webhooks.create(ELSEWHERE, ["*"], idempotency_key="once") == first
    assert len(list(ann.client.webhooks.list())) == 1


def test_both_secrets_verify_after_a_rotation(ann: Owner, receiver: Receiver) -> None:
    webhook = ann.client.webhooks.create(receiver.url, ["task.*"])
    rotated = ann.client.webhooks.rotate_secret(webhook.id)
    assert rotated.secret != webhook.secret
    assert rotated.old_secret_until is not None
    ann.tasks.create("a")
    wait_until(lambda: len(receiver.received) == 1)
    for secret in (webhook.secret, rotated.secret):
        assert verify(secret, receiver.received[0].headers, receiver.received[0].body).type == "task.created"


def test_a_test_goes_to_its_webhook_alone_and_is_in_the_log(ann: Owner, receiver: Receiver) -> None:
    receiver.answer = lambda _: Answer(200, body=b"x" * 5000)
    with Receiver() as other:
        webhook = ann.client.webhooks.create(receiver.url, ["board.*"])
        ann.client.webhooks.create(other.url, ["*"])
        sent = ann.client.webhooks.test(webhook.id)
        wait_until(lambda: len(list(ann.client.webhooks.deliveries(webhook.id, status="delivered"))) == 1)
        ann.tasks.create("later")
        wait_until(lambda: len(other.received) == 1)
    delivery = ann.client.webhooks.delivery(webhook.id, sent.event_id)
    assert delivery.type == "webhook.test"
    assert [(attempt.status, attempt.error, attempt.answer) for attempt in delivery.log] == [(200, None, "x" * 1024)]
    assert [received.event["type"] for received in other.received] == ["task.created"]


def test_failures_are_told_and_replayed_one_by_one_or_all(ann: Owner, receiver: Receiver) -> None:
    receiver.answer = lambda _: Answer(400, body=b"no")
    webhook = ann.client.webhooks.create(receiver.url, ["task.*"])
    ann.tasks.create("a")
    wait_until(lambda: [each.attempts for each in ann.client.webhooks.deliveries(webhook.id)] == [1])
    [waiting] = ann.client.webhooks.deliveries(webhook.id, status="pending")
    assert waiting.next_attempt_at is not None
    assert ann.client.webhooks.get(webhook.id).failing_since is not None
    receiver.answer = lambda _: Answer()
    wait_until(lambda: len(list(ann.client.webhooks.deliveries(webhook.id, status="delivered"))) == 1)
    assert ann.client.webhooks.get(webhook.id).failing_since is None
    replayed = ann.client.webhooks.replay_delivery(webhook.id, waiting.event_id)
    assert replayed.status == "pending"
    wait_until(lambda: receiver.ids().count(waiting.event_id) == 3)
    wait_until(lambda: ann.client.webhooks.delivery(webhook.id, waiting.event_id).status == "delivered")
    again = ann.client.webhooks.replay(webhook.id, since=waiting.created_at - 60_000)
    assert (again.replayed, again.since) == (1, None)
    wait_until(lambda: receiver.ids().count(waiting.event_id) == 4)
    assert ann.client.webhooks.replay(webhook.id, failed=True).replayed == 0


@pytest.mark.parametrize("body", [{}, {"failed": True, "since": 1}, {"failed": False}])
def test_a_replay_is_of_what_failed_or_since_a_time(ann: Owner, body: dict[str, Any]) -> None:
    webhook = ann.client.webhooks.create(ELSEWHERE, ["*"])
    answer: httpx2.Response = ann.http.post(f"/webhooks/{webhook.id}/replay", json=body)
    assert error_of(answer) == (400, "validation_failed")


def test_deliveries_are_paged(ann: Owner, receiver: Receiver) -> None:
    webhook = ann.client.webhooks.create(receiver.url, ["task.*"])
    for number in range(7):
        ann.tasks.create(str(number))
    wait_until(lambda: len(list(ann.client.webhooks.deliveries(webhook.id, status="delivered"))) == 7)
    sequences = [each.sequence for each in ann.client.webhooks.deliveries(webhook.id, limit=3)]
    assert sequences == sorted(sequences, reverse=True)
    assert len(sequences) == 7
