"""Push: a browser is sent what only it can read, by a sender that it can check, once for each thing to tell."""

import time
from typing import Any

import pytest

from support.api.answers import data_of, error_of
from support.clients.space_people import SpacePerson, people
from support.notifications.browser import SubscribedBrowser, base64url, checked_claims
from support.servers.stowboard import Server
from support.waiting import wait_until
from support.webhooks.receiver import Answer, Receiver

TASKS, CHANNELS, KEY = "/taskapp/tasks", "/notifications/channels", "/notifications/key"
ZERO_KNOWLEDGE = {"visibility": "zero-knowledge"}


def subscribe(person: SpacePerson, browser: SubscribedBrowser, receiver: Receiver, **members: Any) -> dict[str, Any]:
    body = browser.subscription(receiver.url, name="Firefox on a laptop", **members)
    channel: dict[str, Any] = data_of(person.api.post(CHANNELS, json=body), 201)
    return channel


def remind(person: SpacePerson, **members: Any) -> str:
    body = {"title": "Renew cert", "reminder": int(time.time() * 1000), **members}
    task_id: str = data_of(person.api.post(TASKS, json=body), 201)["id"]
    return task_id


def test_a_browser_is_sent_a_reminder_that_only_it_can_read(telling_server: Server, receiver: Receiver) -> None:
    browser = SubscribedBrowser()
    with people(telling_server, "ann") as (ann,):
        public = data_of(ann.api.get(KEY))["key"]
        channel = subscribe(ann, browser, receiver)
        assert (channel["kind"], channel["host"], channel["failingSince"]) == ("push", "127.0.0.1", None)
        assert base64url(browser.public) not in str(channel)
        task_id = remind(ann, body="never sent")
        wait_until(lambda: bool(receiver.received))
        (received,) = receiver.received
        assert b"Renew" not in received.body
        told = data_of(ann.api.get("/notifications"))[0]
        message = browser.read(received)
        assert message == {
            "web_push": 8030,
            "notification": {
                "title": "Reminder", "body": "Renew cert", "tag": told["id"],
                "navigate": f"{telling_server.origin}/tasks/{task_id}",
                "data": {"id": told["id"], "kind": "reminder", "subject": task_id},
            },
            "app_badge": 1,
        }  # fmt: skip
        assert (received.headers["ttl"], received.headers["urgency"]) == ("14400", "high")
        assert received.headers["topic"] == told["id"][-24:]
        claims = checked_claims(received, public)
        assert claims["aud"] == f"http://127.0.0.1:{receiver.port}"
        assert claims["sub"] == "mailto:stow@example.org"
        assert 0 < claims["exp"] - time.time() <= 24 * 3600


def test_a_sealed_task_is_pushed_without_its_title(telling_server: Server, receiver: Receiver) -> None:
    browser = SubscribedBrowser()
    with people(telling_server, "ann") as (ann,):
        subscribe(ann, browser, receiver)
        remind(ann, title="Divorce papers", **ZERO_KNOWLEDGE)
        wait_until(lambda: bool(receiver.received))
        assert browser.read(receiver.received[0])["notification"]["body"] == "A task"


def test_a_push_has_the_beginning_of_a_comment_and_other_ways_have_not(
    telling_server: Server, receiver: Receiver
) -> None:
    browser = SubscribedBrowser()
    with people(telling_server, "ann", "ben") as (ann, ben), Receiver() as chat:
        home = ann.make_space()
        ann.add(home, ben)
        task = data_of(ann.api.post(TASKS, json={"title": "Move", "spaceId": home}), 201)
        wait_until(lambda: bool(data_of(ben.api.get("/notifications"))))
        subscribe(ben, browser, receiver)
        data_of(ben.api.post(CHANNELS, json={"kind": "url", "format": "slack", "url": chat.url}), 201)
        rules = [{"scope": "all", "kind": "mentioned", "channels": ["push", "url"]}]
        data_of(ben.api.patch("/notifications/rules", json={"rules": rules}))
        body = f"When, @{ben.name}? " + "x" * 300
        data_of(ann.api.post(f"{TASKS}/{task['id']}/comments", json={"body": body}), 201)
        wait_until(lambda: bool(receiver.received and chat.received))
        assert browser.read(receiver.received[0])["notification"]["body"] == f"Move\n{body[:200]}"
        headers = receiver.received[0].headers
        assert (headers["ttl"], headers["urgency"]) == ("86400", "high")
        assert b"When" not in chat.received[0].body


def test_a_browser_belongs_to_the_person_who_sent_it_last_and_keeps_its_channel(
    telling_server: Server, receiver: Receiver
) -> None:
    browser = SubscribedBrowser()
    with people(telling_server, "ann", "ben") as (ann, ben):
        first = subscribe(ann, browser, receiver)
        data_of(ann.api.patch(f"{CHANNELS}/{first['id']}", json={"enabled": False}))
        again = subscribe(ann, browser, receiver)
        assert (again["id"], again["offReason"]) == (first["id"], "You turned it off.")
        other = subscribe(ben, browser, receiver)["id"]
        assert other != first["id"]
        assert data_of(ann.api.get(CHANNELS)) == []
        for method in ("GET", "DELETE"):
            assert error_of(ann.api.request(method, f"{CHANNELS}/{other}")) == (404, "not_found")
        assert error_of(ann.api.patch(f"{CHANNELS}/{other}", json={"titles": False})) == (404, "not_found")
        assert error_of(ann.api.post(f"{CHANNELS}/{other}/test")) == (404, "not_found")
        remind(ann)
        remind(ben, title="Ben's")
        wait_until(lambda: bool(receiver.received))
        assert [browser.read(each)["notification"]["body"] for each in receiver.received] == ["Ben's"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_loses_its_channel(telling_server: Server, receiver: Receiver, status: int) -> None:
    receiver.answer = lambda _: Answer(status)
    with people(telling_server, "ann") as (ann,):
        subscribe(ann, SubscribedBrowser(), receiver)
        remind(ann)
        wait_until(lambda: data_of(ann.api.get(CHANNELS)) == [])
    assert len(receiver.received) == 1


def test_a_test_of_a_browser_that_is_gone_says_so_and_takes_its_channel_away(
    telling_server: Server, receiver: Receiver
) -> None:
    receiver.answer = lambda _: Answer(410)
    with people(telling_server, "ann") as (ann,):
        channel_id = subscribe(ann, SubscribedBrowser(), receiver)["id"]
        tested = data_of(ann.api.post(f"{CHANNELS}/{channel_id}/test"))
        assert (tested["id"], tested["log"][0]["status"]) == (channel_id, 410)
        assert data_of(ann.api.get(CHANNELS)) == []


def test_a_refusal_is_shown_and_the_channel_stays(telling_server: Server, receiver: Receiver) -> None:
    receiver.answer = lambda _: Answer(403, body=b"BadJwtToken")
    with people(telling_server, "ann") as (ann,):
        channel_id = subscribe(ann, SubscribedBrowser(), receiver)["id"]
        remind(ann)
        wait_until(lambda: data_of(ann.api.get(f"{CHANNELS}/{channel_id}"))["failingSince"] is not None)
        (entry,) = data_of(ann.api.get(f"{CHANNELS}/{channel_id}"))["log"]
        assert (entry["status"], entry["answer"]) == (403, "BadJwtToken")
        receiver.answer = lambda _: Answer(201)
        tested = data_of(ann.api.post(f"{CHANNELS}/{channel_id}/test"))
        assert (tested["failingSince"], tested["log"][0]["status"]) == (None, 201)


def told_twice(server: Server, receiver: Receiver, first: Answer) -> list[Any]:
    """Send a reminder whose first push gets this answer, and return both pushes as the browser shows them."""
    answers = iter([first, Answer(201)])
    receiver.answer = lambda _: next(answers)
    browser = SubscribedBrowser()
    with people(server, "ann") as (ann,):
        subscribe(ann, browser, receiver)
        remind(ann)
        wait_until(lambda: len(receiver.received) == 2)
    return [browser.read(each)["notification"] for each in receiver.received]


def test_a_push_service_that_asks_to_come_again_is_asked_again_with_the_same_topic(
    telling_server: Server, receiver: Receiver
) -> None:
    first, second = told_twice(telling_server, receiver, Answer(503))
    assert first["tag"] == second["tag"]
    assert receiver.received[0].headers["topic"] == receiver.received[1].headers["topic"]


def test_a_message_that_is_too_large_is_sent_again_without_the_title(
    telling_server: Server, receiver: Receiver
) -> None:
    assert [told["body"] for told in told_twice(telling_server, receiver, Answer(413))] == ["Renew cert", ""]


BROWSER = SubscribedBrowser()


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"keys": {"p256dh": base64url(b"\x04" + bytes(64)), "auth": base64url(bytes(16))}}, "p256dh"),
        ({"keys": {"p256dh": base64url(BROWSER.public[:64]), "auth": base64url(bytes(16))}}, "p256dh"),
        ({"keys": {"p256dh": "ä", "auth": base64url(bytes(16))}}, "p256dh"),
        ({"keys": {"p256dh": base64url(BROWSER.public), "auth": base64url(bytes(15))}}, "auth"),
        ({"keys": None}, "keys"),
        ({"endpoint": None}, "endpoint"),
        ({"endpoint": "https://push.example.net/x"}, "push.example.net"),
        ({"endpoint": "http://fcm.googleapis.com/x"}, "endpoint"),
        ({"endpoint": "https://fcm.googleapis.com:8443/x"}, "endpoint"),
        ({"endpoint": "https://fcm.googleapis.com.evil.net/x"}, "endpoint"),
        ({"endpoint": "https://169.254.169.254/latest/meta-data"}, "endpoint"),
        ({"endpoint": "https://10.0.0.1/x"}, "endpoint"),
        ({"endpoint": "https://user@fcm.googleapis.com/x"}, "endpoint"),
    ],
)
def test_a_wrong_subscription_is_refused_by_name(telling_server: Server, change: dict[str, Any], named: str) -> None:
    with people(telling_server, "ann") as (ann,):
        answer = ann.api.post(CHANNELS, json=BROWSER.subscription("https://fcm.googleapis.com/x") | change)
        assert error_of(answer) == (400, "validation_failed")
        assert named in answer.json()["error"]["message"]
        assert data_of(ann.api.get(CHANNELS)) == []


def test_without_an_operator_s_address_there_is_no_push(server: Server) -> None:
    with people(server, "ann") as (ann,):
        assert error_of(ann.api.get(KEY)) == (409, "push_unavailable")
        body = SubscribedBrowser().subscription("https://fcm.googleapis.com/x")
        answer = ann.api.post(CHANNELS, json=body)
        assert error_of(answer) == (409, "push_unavailable")
        assert "STOWBOARD_MAIL_FROM" in answer.json()["error"]["message"]
    assert "not sent to browsers" in server.command("doctor").stdout


def test_nothing_is_sent_after_a_removal_or_to_a_disabled_account(telling_server: Server, receiver: Receiver) -> None:
    browser, headers = SubscribedBrowser(), telling_server.headers
    with people(telling_server, "ann", "ben") as (ann, ben):
        space_id = ann.make_space()
        ann.add(space_id, ben)
        wait_until(lambda: bool(data_of(ben.api.get("/notifications"))))
        task_id = data_of(ben.api.post(TASKS, json={"title": "Ours", "spaceId": space_id}), 201)["id"]
        rules = [{"scope": "all", "kind": "completed", "channels": ["push"]}]
        data_of(ben.api.patch("/notifications/rules", json={"rules": rules}))
        subscribe(ben, browser, receiver)
        data_of(ann.api.delete(f"/spaces/{space_id}/members/{ben.name}"))
        data_of(ann.api.post(f"{TASKS}/{task_id}/complete"))
        remind(ben, title="Own")
        wait_until(lambda: bool(receiver.received))
        assert [browser.read(each)["notification"]["body"] for each in receiver.received] == ["Own"]
        account_id = data_of(ben.api.get("/access/me"))["id"]
        ann.api.patch(
            f"{telling_server.base_url}/access/accounts/{account_id}", json={"disabled": True}, headers=headers
        ).raise_for_status()
        ann.api.patch(
            f"{telling_server.base_url}/access/accounts/{account_id}", json={"disabled": False}, headers=headers
        ).raise_for_status()
        assert ben.browser.sign_in(ben.name).status_code == 200
        ben.api.headers |= ben.browser.bearer()
        assert data_of(ben.api.get(CHANNELS)) == []
