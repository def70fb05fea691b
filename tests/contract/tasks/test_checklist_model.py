"""Changes to the items of a checklist: whatever happens at once is as if done in some order, and nothing is lost.

Each write answers the version of the task that it made, so the order in which writes took effect is known: a plain list
that repeats them in that order must be the checklist.
"""

import asyncio
from collections.abc import Awaitable
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from stowboard.db.database import Database
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import Task
from stowboard.tasks.together.checklist import ItemNotFound, add_item, change_item, remove_item
from stowboard.tasks.wire import ItemBody, ItemPatchBody
from support.tasks.verbs import Person

T = TypeVar("T")
#: A kind, an item by its number, and members.
CHANGES = st.tuples(
    st.sampled_from(["add", "change", "change", "remove", "rename the task"]),
    st.integers(0, 8),
    st.fixed_dictionaries(
        {}, optional={"done": st.booleans(), "title": st.sampled_from("abc"), "position": st.integers(0, 6)}
    ),
)


class Write(NamedTuple):
    """A write that was made: the version that it answered, the item after it, and what was asked for."""

    version: int
    kind: str
    item_id: str
    title: str
    members: dict[str, Any]


class Model(NamedTuple):
    """The title of the task, and id, title and tick of each item."""

    title: str
    items: tuple[tuple[str, str, bool], ...]

    def after(self, write: Write) -> "Model":
        items, members = list(self.items), write.members
        at = next((number for number, item in enumerate(items) if item[0] == write.item_id), None)
        if write.kind == "rename the task":
            return Model(write.title, self.items)
        if write.kind == "add":
            items.insert(members.get("position", len(items)), (write.item_id, write.title, False))
            return Model(self.title, tuple(items))
        assert at is not None, "it was there when it was changed"
        item_id, title, done = items.pop(at)
        if write.kind == "change":
            changed = (item_id, members.get("title", title), members.get("done", done))
            items.insert(members.get("position", at), changed)
        return Model(self.title, tuple(items))


class ChecklistWrites(RuleBasedStateMachine):
    def __init__(self, url: str) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.db: Database = self.run(open_database(DatabaseSettings(url)))
        self.person = Person(self.db)
        task = self.run(self.person.create(checklist=[{"title": "first"}, {"title": "second"}]))
        self.task_id, self.version, self.model = task.id, task.version, shown(task)

    def run(self, work: Awaitable[T]) -> T:
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        self.run(self.db.close())
        self.loop.close()

    @rule(changes=st.lists(CHANGES, min_size=1, max_size=6))
    def write_at_once(self, changes: list[Any]) -> None:
        ids = [item_id for item_id, _, _ in self.model.items] or ["itm_none"]
        asked = [(kind, ids[number % len(ids)], members) for kind, number, members in changes]
        done = self.run(self._together([self._write(*each) for each in asked]))
        writes = sorted([write for write in done if write is not None], key=lambda write: write.version)
        for version, same in groupby(writes, key=lambda write: write.version):
            self._repeat(version, list(same))

    async def _together(self, writes: list[Awaitable[Write | None]]) -> list[Write | None]:
        return await asyncio.gather(*writes)

    async def _write(self, kind: str, item_id: str, members: dict[str, Any]) -> Write | None:
        """None for a change to an item that is gone."""
        wanted = (self.person.access, self.task_id)
        try:
            match kind:
                case "rename the task":
                    task = await self.person.edit(self.task_id, title=members.get("title", "t"))
                    return Write(task.version, kind, "", task.title, members)
                case "add":
                    body = ItemBody(members.get("title", "new"), members.get("position"))
                    task, item = await self.db.transact(add_item, *wanted, body, None)
                    return Write(task.version, kind, item.id, item.title, members)
                case "remove":
                    task = await self.db.transact(remove_item, *wanted, item_id, None)
                    return Write(task.version, kind, item_id, "", members)
            patch = msgspec.convert(members, ItemPatchBody)
            task, item = await self.db.transact(change_item, *wanted, item_id, patch, None)
            return Write(task.version, kind, item_id, item.title, members)
        except ItemNotFound:
            return None

    def _repeat(self, version: int, writes: list[Write]) -> None:
        """One of them made the version, unless it was there; the others found nothing to change."""
        makers = range(len(writes)) if version > self.version else [None]
        for maker in makers:
            after = self.model if maker is None else self.model.after(writes[maker])
            if all(after.after(write) == after for number, write in enumerate(writes) if number != maker):
                self.model, self.version = after, version
                return
        raise AssertionError(f"no order explains {writes} on {self.model}")

    @invariant()
    def the_task_is_what_the_writes_made_of_it(self) -> None:
        task = self.run(self.db.read(task_store.get, self.person.access, self.task_id))
        assert (task.version, shown(task)) == (self.version, self.model)
        assert len({item.id for item in task.extras.checklist}) == len(task.extras.checklist)


def shown(task: Task) -> Model:
    return Model(task.title, tuple((item.id, item.title, item.done) for item in task.extras.checklist))


def test_whatever_is_written_at_once_is_as_if_written_in_some_order(database_url: str) -> None:
    run_state_machine_as_test(
        lambda: ChecklistWrites(database_url),  # type: ignore[arg-type]
        settings=settings(max_examples=12, stateful_step_count=12, deadline=None),
    )
