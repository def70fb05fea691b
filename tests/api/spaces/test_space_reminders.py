"""Reminders of tasks in a shared space, by mail and to webhooks: to members alone, and never out of the trash."""

from collections.abc import Iterator

import httpx2
import pytest

from support.api.answers import data_of
from support.clients.space_people import SpacePerson, people
from support.mail.relay import MailRelay
from support.servers.stacks import UNLIMITED, MakeServer, Stack, on_postgres
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until
from support.webhooks.receiver import ALLOWED, Receiver

TASKS = "/taskapp/tasks"
LATER = 4_000_000_000_000


@pytest.fixture(scope="module")
def relay() -> Iterator[MailRelay]:
    with MailRelay() as relay:
        yield relay


@pytest.fixture(scope="module")
def server(stack: Stack, make_server: MakeServer, relay: MailRelay) -> Iterator[Server]:
    mail = {"STOWBOARD_SMTP_URL": relay.url, "STOWBOARD_MAIL_FROM": "stow@example.org"}
    server = make_server(stack() | UNLIMITED | ALLOWED | mail)
    yield server
    server.kill()


@pytest.fixture
def trio(server: Server) -> Iterator[tuple[str, SpacePerson, SpacePerson, SpacePerson]]:
    """A space and three of its members, who all want reminders by mail."""
    with people(server, "ann", "ben", "cid") as (ann, ben, cid):
        home = ann.make_space()
        for person in (ben, cid):
            ann.add(home, person)
        rows(
            server, "UPDATE account SET email = username || '@example.org', email_confirmed_at = 1, remind_by_mail = 1"
        )
        yield home, ann, ben, cid


def make(person: SpacePerson, **members: object) -> str:
    body = {"title": "t", "reminder": LATER, **members}
    task_id: str = data_of(person.api.post(TASKS, json=body), 201)["id"]
    return task_id


def remind(server: Server, *tasks: str) -> None:
    """As if the time of these reminders had come; return when their jobs are done, those that mail them as well."""
    for task in tasks:
        rows(server, f"UPDATE job SET due = 1 WHERE dedup = '{task}'")
    text = "convert_from(args, 'UTF8')" if on_postgres(server) else "CAST(args AS TEXT)"
    named = " OR ".join(f"{text} LIKE '%{task}%'" for task in tasks)
    wait_until(lambda: rows(server, f"SELECT id FROM job WHERE {named}") == [])
    unread = "position IS NULL OR position > (SELECT position FROM notification_head)"
    wait_until(lambda: rows(server, f"SELECT 1 FROM event WHERE type = 'task.reminder' AND ({unread})") == [])
    wait_until(lambda: rows(server, "SELECT 1 FROM job WHERE kind = 'notifications.mail'") == [])


def test_a_reminder_in_a_space_goes_to_its_maker_and_assignees_who_are_members(
    server: Server, relay: MailRelay, trio: tuple[str, SpacePerson, SpacePerson, SpacePerson]
) -> None:
    home, ann, ben, cid = trio
    bens, cids = make(ben, title="of Ben", spaceId=home), make(cid, title="of Cid", spaceId=home)
    data_of(ann.api.patch(f"{TASKS}/{bens}", json={"assignees": [ann.name, cid.name]}))
    data_of(ann.api.delete(f"/spaces/{home}/members/{cid.name}"))
    own, before = make(ann, title="her own"), len(relay.taken)
    remind(server, bens, cids, own)
    told = {(message["to"], message["subject"]) for message in relay.taken[before:]}
    assert told == {
        (f"{ben.name}@example.org", "Reminder: of Ben"),
        (f"{ann.name}@example.org", "Reminder: of Ben"),
        (f"{ann.name}@example.org", "Reminder: her own"),
    }


def test_a_task_that_was_brought_home_reminds_its_owner(
    server: Server, relay: MailRelay, trio: tuple[str, SpacePerson, SpacePerson, SpacePerson]
) -> None:
    home, ann, ben, _ = trio
    task = make(ben, spaceId=home)
    data_of(ann.api.post(f"{TASKS}/{task}/transfer", json={"spaceId": "own"}))
    before = len(relay.taken)
    remind(server, task)
    assert [message["to"] for message in relay.taken[before:]] == [f"{ann.name}@example.org"]


def test_nothing_is_told_of_a_space_in_the_trash(
    server: Server, relay: MailRelay, trio: tuple[str, SpacePerson, SpacePerson, SpacePerson]
) -> None:
    home, ann, ben, _ = trio
    first, second = make(ben, spaceId=home), make(ben, spaceId=home)
    with Receiver() as receiver:
        hook = {"url": receiver.url, "types": ["task.reminder"], "spaceId": home}
        made = data_of(ann.api.post("/webhooks", json=hook), 201)["id"]
        data_of(ann.api.post(f"/spaces/{home}/trash"))
        before = len(relay.taken)
        remind(server, first)
        wait_until_handed_out(server)
        data_of(ann.api.post(f"/spaces/{home}/restore"))
        data_of(ann.api.patch(f"/webhooks/{made}", json={"enabled": True}))
        remind(server, second)
        wait_until(lambda: len(receiver.received) > 0)
        assert [received.event["subject"] for received in receiver.received] == [second]
    assert len(relay.taken) == before + 1


def wait_until_handed_out(server: Server) -> None:
    """All events so far were looked at for webhooks; another owner's webhook has the feed read."""
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as admin:
        data_of(admin.post("/webhooks", json={"url": "https://hooks.example.com/x", "types": ["task.*"]}), 201)
    behind = "SELECT 1 FROM webhook_head JOIN feed ON feed.position > webhook_head.position"
    wait_until(lambda: rows(server, behind) == [])
