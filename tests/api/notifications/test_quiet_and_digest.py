"""Quiet hours hold sends back, and send them as one; a digest says once what is due and unread."""

import json
import time
from typing import Any

import pytest

from support.api.answers import data_of, error_of
from support.clients.people import fresh_name
from support.clients.space_people import SpacePerson, people
from support.mail.relay import MailRelay
from support.notifications.browser import SubscribedBrowser
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until
from support.webhooks.receiver import Receiver

TASKS, INBOX, ME = "/taskapp/tasks", "/notifications", "/access/me"
ALWAYS = {"from": "00:00", "to": "23:59", "timeZone": "UTC"}


def set_me(person: SpacePerson, **members: Any) -> dict[str, Any]:
    changed: dict[str, Any] = data_of(person.api.patch(ME, json=members))
    return changed


def kinds(person: SpacePerson) -> list[str]:
    return [each["kind"] for each in reversed(data_of(person.api.get(INBOX)))]


def ask(person: SpacePerson, space_id: str, other: SpacePerson) -> None:
    """Ask the other one into the space. Nothing is sent of it any more once they have said yes."""
    members = {"username": other.name, "role": "editor"}
    data_of(person.api.post(f"/spaces/{space_id}/members", json=members), 201)


def test_what_waits_in_quiet_hours_becomes_one_message_and_a_reminder_goes_through(
    telling_server: Server, receiver: Receiver
) -> None:
    browser = SubscribedBrowser()
    with people(telling_server, "ann", "ben") as (ann, ben):
        data_of(ann.api.post("/notifications/channels", json=browser.subscription(receiver.url)), 201)
        assert set_me(ann, quietHours=ALWAYS)["quietHours"] == ALWAYS
        for name in ("One", "Two"):
            ask(ben, ben.make_space(name), ann)
        left = ben.make_space("Left")
        ask(ben, left, ann)
        task = {"title": "Now", "reminder": int(time.time() * 1000)}
        data_of(ann.api.post(TASKS, json=task), 201)
        wait_until(lambda: len(receiver.received) == 1)
        assert browser.read(receiver.received[0])["notification"]["body"] == "Now"
        assert kinds(ann) == ["shared", "shared", "shared", "reminder"]
        data_of(ben.api.delete(f"/spaces/{left}/members/{ann.name}"))
        rows(telling_server, f"UPDATE job SET due = 1 WHERE kind = 'notifications.sum_up' AND dedup = '{ann.name}'")
        wait_until(lambda: len(receiver.received) == 2)
        summary = browser.read(receiver.received[1])["notification"]
        assert summary["title"] == "2 notifications"
        assert summary["body"] == "; ".join(f"{ben.name} shared a space with you: {name}" for name in ("One", "Two"))
        assert set_me(ann, quietHours=None)["quietHours"] is None
        ask(ben, ben.make_space("Three"), ann)
        wait_until(lambda: len(receiver.received) == 3)
        assert browser.read(receiver.received[2])["notification"]["body"] == "Three"


def test_all_that_waited_is_sent_a_hundred_in_a_message(telling_server: Server, receiver: Receiver) -> None:
    browser = SubscribedBrowser()
    with people(telling_server, "ann", "ben") as (ann, ben):
        data_of(ann.api.post("/notifications/channels", json=browser.subscription(receiver.url)), 201)
        set_me(ann, quietHours=ALWAYS)
        ask(ben, ben.make_space("One"), ann)
        wait_until(lambda: kinds(ann) == ["shared"])
        columns = "person, kind, space, subject, actor, inbox, via, waits, created_at"
        rows(
            telling_server,
            f"INSERT INTO notification (id, cause, {columns})"
            " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)"
            f" SELECT substr(id, 1, 27) || (100 + i), cause || i, {columns} FROM notification, n"
            f" WHERE person = '{ann.name}'",
        )
        rows(telling_server, f"UPDATE job SET due = 1 WHERE kind = 'notifications.sum_up' AND dedup = '{ann.name}'")
        wait_until(lambda: len(receiver.received) == 2)
        titles = sorted(browser.read(each)["notification"]["title"] for each in receiver.received)
    assert titles == ["100 notifications", "21 notifications"]


def test_a_digest_says_what_is_due_and_unread_and_nothing_of_a_space_that_was_left(
    telling_server: Server, relay: MailRelay
) -> None:
    with people(telling_server, "ann", "ben") as (ann, ben):
        address = f"{fresh_name('ann')}@example.com"
        account_id = data_of(ann.api.get(ME))["id"]
        admin = telling_server.headers
        data_of(ann.api.patch(f"/access/accounts/{account_id}", json={"email": address}, headers=admin))
        home, left = ben.make_space("Home"), ben.make_space("Left")
        now = int(time.time() * 1000)
        for space, title in ((home, "Ours"), (left, "Theirs")):
            ben.add(space, ann)
            task = {"title": title, "spaceId": space, "assignees": [ann.name], "dueAt": now}
            data_of(ben.api.post(TASKS, json=task), 201)
        data_of(ben.api.post(TASKS, json={"title": "Ben's own work", "spaceId": home, "dueAt": now}), 201)
        data_of(ann.api.post(TASKS, json={"title": "Mine", "dueAt": now - 1000}), 201)
        data_of(ann.api.post(TASKS, json={"title": "Sealed", "dueAt": now, "visibility": "zero-knowledge"}), 201)
        data_of(ann.api.post(TASKS, json={"title": "Next week", "dueAt": now + 7 * 24 * 3600 * 1000}), 201)
        wait_until(lambda: kinds(ann) == ["shared", "assigned", "shared", "assigned"])
        data_of(ben.api.delete(f"/spaces/{left}/members/{ann.name}"))
        days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        assert set_me(ann, digest={"at": "08:00", "days": days})["digest"] == {"at": "08:00", "days": days}
        rows(telling_server, f"UPDATE account SET digest_due = {now} WHERE username = '{ann.name}'")
        rows(telling_server, "UPDATE schedule SET next = 1 WHERE name = 'notifications.order_digests'")
        wait_until(lambda: any(message["to"] == address for message in relay.taken))
        (message,) = [message for message in relay.taken if message["to"] == address]
        assert message["subject"] == "Your day"
        due, _, unread = message.get_content().partition("Unread:")
        assert [line for line in due.splitlines() if line.startswith("- ")] == ["- Mine", "- Ours", "- A task"]
        assert [line for line in unread.splitlines() if line.startswith("- ")] == ["- Ours", "- Home"]
        assert "Theirs" not in message.get_content()
        ((next_due,),) = rows(telling_server, f"SELECT digest_due FROM account WHERE username = '{ann.name}'")
        assert now < next_due <= now + 25 * 3600 * 1000
        assert set_me(ann, digest=None)["digest"] is None


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "members",
    [
        {"quietHours": {"from": "22:00", "to": "22:00", "timeZone": "UTC"}},
        {"quietHours": {"from": "24:00", "to": "07:00", "timeZone": "UTC"}},
        {"quietHours": {"from": "22:00", "to": "07:00", "timeZone": "Mars/Olympus"}},
        {"quietHours": {"from": "22:00", "to": "07:00"}},
        {"digest": {"at": "8", "days": ["mon"]}},
        {"digest": {"at": "08:00", "days": []}},
        {"digest": {"at": "08:00", "days": ["someday"]}},
    ],
    ids=json.dumps,
)
def test_wrong_times_are_refused(telling_server: Server, members: dict[str, Any]) -> None:
    with people(telling_server, "ann") as (ann,):
        assert error_of(ann.api.patch(ME, json=members)) == (400, "validation_failed")
