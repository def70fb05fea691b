"""Channels by an address: each format as its service wants it, titles or none, and nowhere that the guard forbids."""

import json
import time
from typing import Any

import pytest
from standardwebhooks import Webhook as Oracle

from stowboard_client import verify
from support.api.answers import data_of, error_of
from support.clients.space_people import SpacePerson, people
from support.servers.stacks import UNLIMITED, MakeServer
from support.servers.stowboard import Server
from support.waiting import wait_until
from support.webhooks.receiver import ALLOWED, Received, Receiver

TASKS, CHANNELS, RULES = "/taskapp/tasks", "/notifications/channels", "/notifications/rules"
SIGNING = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
TITLE = 'Pay <!channel> & "Bob"'


def told(server: Server, receiver: Receiver, path: str, **members: Any) -> tuple[Received, str, str]:
    """The message of a reminder to a channel, with the notification's id and the link to the task."""
    with people(server, "ann") as (ann,):
        body = {"kind": "url", "url": f"http://127.0.0.1:{receiver.port}{path}", **members}
        channel = data_of(ann.api.post(CHANNELS, json=body), 201)
        assert "secret" not in channel
        assert "url" not in channel
        tell_by_url(ann)
        reminder = {"title": TITLE, "body": "never sent", "reminder": int(time.time() * 1000)}
        task_id = data_of(ann.api.post(TASKS, json=reminder), 201)["id"]
        wait_until(lambda: bool(receiver.received))
        (received,) = receiver.received
        assert b"never" not in received.body
        return received, data_of(ann.api.get("/notifications"))[0]["id"], f"{server.origin}/tasks/{task_id}"


def tell_by_url(person: SpacePerson) -> None:
    rules = [{"scope": "all", "kind": "reminder", "channels": ["inbox", "url"]}]
    data_of(person.api.patch(RULES, json={"rules": rules}))


def test_ntfy_is_sent_json_at_its_root_with_the_topic_of_the_address(
    telling_server: Server, receiver: Receiver
) -> None:
    received, _, link = told(telling_server, receiver, "/my-topic", format="ntfy", secret="tk_secret")
    assert (received.method, received.path) == ("POST", "/")
    assert received.headers["authorization"] == "Bearer tk_secret"
    assert json.loads(received.body) == {
        "topic": "my-topic", "title": "Reminder", "message": TITLE, "click": link, "priority": 4
    }  # fmt: skip


def test_gotify_is_sent_a_message_with_its_key(telling_server: Server, receiver: Receiver) -> None:
    received, _, link = told(telling_server, receiver, "/gotify", format="gotify", secret="app-token")
    assert (received.method, received.path) == ("POST", "/gotify/message")
    assert received.headers["x-gotify-key"] == "app-token"
    body = json.loads(received.body)
    assert (body["title"], body["message"], body["priority"]) == ("Reminder", TITLE, 8)
    assert body["extras"]["client::notification"]["click"]["url"] == link


def test_slack_is_sent_a_text_that_makes_no_link_and_calls_nobody(telling_server: Server, receiver: Receiver) -> None:
    received, _, link = told(telling_server, receiver, "/services/T/B/X", format="slack")
    assert (received.method, received.path) == ("POST", "/services/T/B/X")
    assert json.loads(received.body) == {
        "text": f'Reminder: Pay &lt;!channel&gt; &amp; "Bob"\n{link}'
    }  # fmt: skip


def test_matrix_is_sent_a_message_under_an_id_that_makes_a_retry_harmless(
    telling_server: Server, receiver: Receiver
) -> None:
    room = "/_matrix/client/v3/rooms/!abc:example.org"
    received, told_id, link = told(telling_server, receiver, room, format="matrix", secret="syt_x")
    assert (received.method, received.path) == ("PUT", f"{room}/send/m.room.message/{told_id}")
    assert received.headers["authorization"] == "Bearer syt_x"
    assert json.loads(received.body) == {"msgtype": "m.text", "body": f"Reminder: {TITLE}\n{link}"}


def test_json_is_signed_as_webhooks_are(telling_server: Server, receiver: Receiver) -> None:
    received, told_id, link = told(telling_server, receiver, "/in", format="json", secret=SIGNING)
    assert json.loads(received.body) == {
        "id": told_id, "kind": "reminder", "title": f"Reminder: {TITLE}", "url": link
    }  # fmt: skip
    assert received.headers["webhook-id"] == told_id
    Oracle(SIGNING).verify(received.body, received.headers)
    with pytest.raises(Exception, match="signature"):
        verify("whsec_" + SIGNING[-32:][::-1], received.headers, received.body)


def test_without_titles_only_that_there_is_something_is_sent(telling_server: Server, receiver: Receiver) -> None:
    received, *_ = told(telling_server, receiver, "/in", format="slack", titles=False)
    assert json.loads(received.body)["text"].startswith("A task is due\n")
    assert b"Pay" not in received.body


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"format": "ntfy"}, "url"),
        ({"url": "https://ntfy.sh/x"}, "format"),
        ({"format": "telegram", "url": "https://ntfy.sh/x"}, "format"),
        ({"format": "ntfy", "url": "http://93.184.216.34/x"}, "https"),
        ({"format": "ntfy", "url": "https://169.254.169.254/x"}, "url"),
        ({"format": "ntfy", "url": "https://10.1.2.3/x"}, "url"),
        ({"format": "gotify", "url": "https://ntfy.sh/x"}, "secret"),
        ({"format": "ntfy", "url": "https://ntfy.sh/x", "secret": "a\r\nx-evil: b"}, "secret"),
        ({"format": "json", "url": "https://ntfy.sh/x", "secret": "short"}, "secret"),
    ],
)
def test_a_wrong_address_is_refused_by_name(telling_server: Server, body: dict[str, Any], named: str) -> None:
    with people(telling_server, "ann") as (ann,):
        answer = ann.api.post(CHANNELS, json={"kind": "url", **body})
        assert error_of(answer) == (400, "validation_failed")
        assert named in answer.json()["error"]["message"]


def test_an_eleventh_channel_is_refused(telling_server: Server, receiver: Receiver) -> None:
    with people(telling_server, "ann") as (ann,):
        made = [
            ann.api.post(CHANNELS, json={"kind": "url", "format": "slack", "url": f"{receiver.url}{number}"})
            for number in range(11)
        ]
        assert [answer.status_code for answer in made] == [201] * 10 + [409]
        first = made[0].json()["data"]["id"]
        assert data_of(ann.api.delete(f"{CHANNELS}/{first}")) == {"id": first, "deleted": True}
        assert len(data_of(ann.api.get(CHANNELS))) == 9


def test_a_channel_is_tested_turned_off_and_on(telling_server: Server, receiver: Receiver) -> None:
    with people(telling_server, "ann") as (ann,):
        body = {"kind": "url", "format": "slack", "url": receiver.url, "name": "Chat"}
        channel_id = data_of(ann.api.post(CHANNELS, json=body), 201)["id"]
        tested = data_of(ann.api.post(f"{CHANNELS}/{channel_id}/test"))
        assert [(entry["status"], entry["answer"]) for entry in tested["log"]] == [(200, "ok")]
        assert b"test" in receiver.received[0].body
        off = data_of(ann.api.patch(f"{CHANNELS}/{channel_id}", json={"enabled": False, "name": "Old"}))
        assert (off["name"], off["offReason"]) == ("Old", "You turned it off.")
        assert data_of(ann.api.post(f"{CHANNELS}/{channel_id}/test"))["offReason"] == "You turned it off."
        tell_by_url(ann)
        data_of(ann.api.post(TASKS, json={"title": "quiet", "reminder": int(time.time() * 1000)}), 201)
        wait_until(lambda: bool(data_of(ann.api.get("/notifications"))))
        on = data_of(ann.api.patch(f"{CHANNELS}/{channel_id}", json={"enabled": True}))
        assert on["offReason"] is None
        data_of(ann.api.post(TASKS, json={"title": "loud", "reminder": int(time.time() * 1000)}), 201)
        wait_until(lambda: len(receiver.received) == 3)
        assert b"loud" in receiver.received[2].body


def test_an_operator_bounds_the_hosts(make_server: MakeServer) -> None:
    server = make_server(UNLIMITED | ALLOWED | {"STOWBOARD_NOTIFY_HOSTS": "chat.example.org,*.example.com"})
    with people(server, "ann") as (ann,):
        for url, status in (("https://evil.example.org/x", 400), ("https://hooks.example.com/x", 201)):
            answer = ann.api.post(CHANNELS, json={"kind": "url", "format": "slack", "url": url})
            assert answer.status_code == status, answer.text
