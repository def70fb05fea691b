"""Streams: each event once, also for a reader that has read it before the others are told."""

import re

import pytest

from stowboard.db.database import Database
from stowboard.events.feed import EventFilter, LivingTokens
from stowboard.events.hub import Hub
from support.tasks.verbs import Person
from support.waiting import until


class Kept:
    """A sink that keeps what is sent."""

    def __init__(self) -> None:
        self.data = b""

    def send(self, data: bytes) -> bool:
        self.data += data
        return True

    def close(self) -> None:
        pass

    @property
    def kinds(self) -> list[bytes]:
        return re.findall(rb"^event: (.*)$", self.data, re.MULTILINE)


def reaching(*owners: str) -> LivingTokens:
    """The one token lives, and reaches these owners."""

    async def living(_tx: object, _ids: object) -> dict[str, frozenset[str]]:
        return {"tok_1": frozenset(owners)}

    return living


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_stream_that_has_read_an_event_is_not_told_of_it_again(database: Database) -> None:
    person = Person(database)
    wanted = EventFilter(frozenset({person.name}), frozenset({"task.created", "task.updated"}))
    hub = Hub(database, reaching(person.name), 10)
    early, late = Kept(), Kept()
    hub.open("tok_1", "b", wanted, None, 0, early)
    await until(lambda: bool(hub._joined))
    task = await person.create()
    hub.open("tok_1", "b", wanted, None, 0, late)  # it reads the event itself, and joins ahead of the others
    await until(lambda: len(hub._joined) == 2)
    assert (early.kinds, late.kinds) == ([], [b"task.created"])
    hub.start()
    await person.edit(task.id, title="changed")
    await until(lambda: early.kinds == late.kinds == [b"task.created", b"task.updated"])
    await hub.stop()
    assert early.kinds == late.kinds == [b"task.created", b"task.updated"]
