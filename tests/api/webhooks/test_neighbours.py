"""A neighbour who does the most that is allowed: addresses that never finish their answer delay only their owner."""

import threading
import time
from collections.abc import Iterator

import pytest

from support.api.answers import data_of
from support.clients.space_people import SpacePerson, people
from support.clients.task_owner import Owner
from support.servers.stowboard import Server
from support.waiting import wait_until
from support.webhooks.receiver import Answer, Received, Receiver

#: Requests that a process makes at once for one owner.
SHARE = 4
#: On a slow machine some of these have ended by their clock, and others have begun.
MOST = 3 * SHARE
CHANNELS, RULES = "/notifications/channels", "/notifications/rules"


@pytest.fixture
def silent() -> Iterator[Receiver]:
    """A receiver that answers nobody until the test is over."""
    over = threading.Event()

    def answer(_: Received) -> Answer:
        over.wait()
        return Answer()

    with Receiver() as receiver:
        receiver.answer = answer
        yield receiver
        over.set()


def test_forty_webhooks_without_an_answer_delay_no_webhook_of_another(
    ann: Owner, ben: Owner, silent: Receiver, receiver: Receiver
) -> None:
    for number in range(40):
        ann.client.webhooks.create(silent.url, ["task.*"], name=f"{number}")
    ben.client.webhooks.create(receiver.url, ["task.*"])
    ann.tasks.create("told to all forty")
    wait_until(lambda: len(silent.received) >= SHARE)
    ben.tasks.create("told to one")
    wait_until(lambda: bool(receiver.received))
    assert len(silent.received) <= MOST


def test_ten_channels_without_an_answer_delay_no_message_of_another(
    hook_server: Server, silent: Receiver, receiver: Receiver
) -> None:
    with people(hook_server, "ann", "ben") as (ann, ben):
        for number in range(10):
            add_channel(ann, f"{silent.url}/{number}")
        add_channel(ben, receiver.url)
        for _ in range(3):
            remind(ann)
        wait_until(lambda: len(silent.received) >= SHARE)
        remind(ben)
        wait_until(lambda: bool(receiver.received))
        assert len(silent.received) <= MOST


def add_channel(person: SpacePerson, url: str) -> None:
    data_of(person.api.post(CHANNELS, json={"kind": "url", "format": "slack", "url": url}), 201)
    rules = [{"scope": "all", "kind": "reminder", "channels": ["url"]}]
    data_of(person.api.patch(RULES, json={"rules": rules}))


def remind(person: SpacePerson) -> None:
    data_of(person.api.post("/taskapp/tasks", json={"title": "now", "reminder": int(time.time() * 1000)}), 201)
