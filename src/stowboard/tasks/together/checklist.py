"""The checklist of a task: items that are added, changed, moved and removed one by one.

Each operation locks the task and changes one item. So what many people do at once ends as if they had done it in turn.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import NotFound, TooManyItems
from stowboard.core.ids import new_id
from stowboard.core.plain_text import checked_line
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import MAX_ITEMS, ChecklistItem, Task, TaskId, with_extras
from stowboard.tasks.keep import keep
from stowboard.tasks.wire import ChecklistEntry, ItemBody, ItemPatchBody


class ItemNotFound(NotFound):
    """The task has no such item."""


def replaced_items(
    entries: Sequence[ChecklistEntry], before: Sequence[ChecklistItem], person: str | None
) -> list[ChecklistItem]:
    """A whole new list, in its order. An entry with the id of an item is that item. Raises TooManyItems."""
    _check_number(len(entries))
    known = {item.id: item for item in before}
    return [_entered(known.pop(entry.id or "", None), entry, person) for entry in entries]


def unticked(items: Sequence[ChecklistItem]) -> list[ChecklistItem]:
    return [ChecklistItem(item.id, item.title) for item in items]


async def add_item(
    tx: Tx, access: Access, task_id: TaskId, body: ItemBody, if_match: str | None
) -> tuple[Task, ChecklistItem]:
    """Raises TaskNotFound, TooManyItems, PreconditionFailed, ValidationFailed."""
    task, items = await _lock(tx, access, task_id, if_match)
    _check_number(len(items) + 1)
    item = ChecklistItem(new_id("itm"), checked_line("title", body.title))
    items.insert(len(items) if body.position is None else body.position, item)
    return await _keep(tx, task, items, item.id), item


async def change_item(
    tx: Tx, access: Access, task_id: TaskId, item_id: str, body: ItemPatchBody, if_match: str | None
) -> tuple[Task, ChecklistItem]:
    """Raises TaskNotFound, ItemNotFound, PreconditionFailed, ValidationFailed."""
    task, items = await _lock(tx, access, task_id, if_match)
    at = _index(items, item_id)
    item = items[at]
    if body.title is not UNSET:
        item = msgspec.structs.replace(item, title=checked_line("title", body.title))
    if body.done is not UNSET:
        item = _ticked(item, body.done, access.caller.person)
    items[at] = item
    if body.position is not UNSET:
        items.insert(body.position, items.pop(at))
    return await _keep(tx, task, items, item_id), item


async def remove_item(tx: Tx, access: Access, task_id: TaskId, item_id: str, if_match: str | None) -> Task:
    """Raises TaskNotFound, ItemNotFound, PreconditionFailed."""
    task, items = await _lock(tx, access, task_id, if_match)
    del items[_index(items, item_id)]
    return await _keep(tx, task, items, item_id)


async def _lock(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> tuple[Task, list[ChecklistItem]]:
    task = await task_store.lock(tx, access, task_id, if_match)
    return task, list(task.extras.checklist)


async def _keep(tx: Tx, task: Task, items: list[ChecklistItem], item_id: str) -> Task:
    return await keep(tx, task, with_extras(task, checklist=items), kinds.TASK_UPDATED, item_id)


def _entered(item: ChecklistItem | None, entry: ChecklistEntry, person: str | None) -> ChecklistItem:
    title = checked_line("checklist", entry.title)
    item = ChecklistItem(new_id("itm"), title) if item is None else msgspec.structs.replace(item, title=title)
    return item if entry.done is None else _ticked(item, entry.done, person)


def _ticked(item: ChecklistItem, done: bool, person: str | None) -> ChecklistItem:
    """Ticking an item that is ticked changes nothing: the person who ticked it first stays."""
    if item.done == done:
        return item
    ticked: dict[str, Any] = {"done_at": clock.now_ms(), "done_by": person} if done else {}
    return ChecklistItem(item.id, item.title, done, **ticked)


def _index(items: Sequence[ChecklistItem], item_id: str) -> int:
    for at, item in enumerate(items):
        if item.id == item_id:
            return at
    raise ItemNotFound


def _check_number(items: int) -> None:
    if items > MAX_ITEMS:
        raise TooManyItems(f"checklist: expected at most {MAX_ITEMS} items.")
