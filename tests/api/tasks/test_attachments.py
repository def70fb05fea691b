"""Assets and videos of tasks."""

import httpx2
import pytest

from stowboard_client import Client, Task, errors
from support.api.answers import error_of, message_of
from support.clients.credentials import Issue, bearer
from support.clients.task_owner import Owner
from support.stored.rows import rows
from support.waiting import wait_until

NO_ASSET, NO_VIDEO = "ast_01hf7yat000000000000000000", "vid_01hf7yat000000000000000000"


@pytest.fixture
def ids(client: Client) -> list[str]:
    """The ids of an image's file, a text and a video that has no bytes yet."""
    made = [client.uploads.file(f"{name}.txt", name.encode()).id for name in "ab"]
    return [*made, client.videos.create("v").id]


def attached(task: Task) -> list[tuple[str, bool]]:
    return [(one.id, one.deleted) for one in task.attachments]


def test_attachments_are_kept_in_their_order_each_once(ann: Owner, ids: list[str]) -> None:
    a, b, v = ids
    task = ann.tasks.create("t", attachments=[v, a, v, b])
    assert attached(task) == [(v, False), (a, False), (b, False)]
    assert attached(ann.tasks.get(task.id)) == attached(task)
    changed = ann.tasks.update(task.id, attachments=[b, a])
    assert attached(changed) == [(b, False), (a, False)]
    assert changed.version == 2
    assert ann.tasks.update(task.id, attachments=[b, a]).version == 2
    assert ann.tasks.update(task.id, title="u").attachments == changed.attachments
    ann.tasks.activate_index()
    assert [one.attachments for one in ann.tasks.list()] == [changed.attachments]
    assert ann.tasks.update(task.id, attachments=None).attachments == ()


@pytest.mark.parametrize("unknown", [NO_ASSET, NO_VIDEO, "tsk_01hf7yat000000000000000000", "x", ""])
def test_what_is_not_there_cannot_be_attached(ann: Owner, ids: list[str], unknown: str) -> None:
    task = ann.tasks.create("t", attachments=ids[:1])
    for answer in (
        ann.http.post("/taskapp/tasks", json={"title": "t", "attachments": [ids[0], unknown]}),
        ann.http.patch(f"/taskapp/tasks/{task.id}", json={"attachments": [unknown]}),
    ):
        assert error_of(answer) == (400, "validation_failed")
        assert f"attachments: there is no asset or video {unknown}" in message_of(answer)
    assert ann.tasks.get(task.id) == task
    assert rows(ann.server, f"SELECT count(*) FROM task WHERE owner = '{ann.name}'") == [(1,)]


def test_fifty_are_taken_and_no_more(ann: Owner) -> None:
    with pytest.raises(errors.TooManyItems):
        ann.tasks.create("t", attachments=[f"ast_{number:026}" for number in range(51)])


def test_a_deleted_asset_leaves_a_mark_in_its_place(ann: Owner, ben: Owner, client: Client, ids: list[str]) -> None:
    a, b, v = ids
    task, theirs = ann.tasks.create("t", attachments=[a, b, v]), ben.tasks.create("t", attachments=[b])
    client.assets.delete(b)
    wait_until(lambda: attached(ann.tasks.get(task.id)) == [(a, False), (b, True), (v, False)])
    wait_until(lambda: attached(ben.tasks.get(theirs.id)) == [(b, True)])
    client.assets.batch_delete([a])
    client.videos.delete(v)
    wait_until(lambda: attached(ann.tasks.get(task.id)) == [(a, True), (b, True), (v, True)])
    assert ann.events(task.id)[-1] == "task.updated"
    assert ann.tasks.get(task.id).version == 4
    ann.tasks.activate_index()
    assert [one.id for one in ann.tasks.list(q="t")] == [task.id]
    # It may be sent back as it was read, moved, and left out for good.
    assert attached(ann.tasks.update(task.id, attachments=[v, b])) == [(v, True), (b, True)]
    assert error_of(ann.http.patch(f"/taskapp/tasks/{task.id}", json={"attachments": [a]})) == (
        400,
        "validation_failed",
    )
    assert rows(ann.server, f"SELECT count(*) FROM task_attachment WHERE owner = '{ann.name}'") == [(0,)]


def test_who_uses_an_asset_is_told_to_its_owner_alone(ann: Owner, ben: Owner, client: Client, ids: list[str]) -> None:
    a, b, _ = ids
    first, second = ann.tasks.create("first", attachments=[a]), ann.tasks.create("second", attachments=[b, a])
    ben.tasks.create("theirs", attachments=[a])
    ann.tasks.archive(first.id)
    used = list(ann.client.assets.usage(a, limit=1))
    assert [(one.task_id, one.title, one.status, one.archived) for one in used] == [
        (second.id, "second", "todo", False),
        (first.id, "first", "todo", True),
    ]
    assert list(client.assets.usage(a)) == []
    ann.tasks.delete(second.id)
    assert [one.task_id for one in ann.client.assets.usage(a)] == [first.id]
    assert list(ann.client.assets.usage(b)) == []
    with pytest.raises(errors.NotFound):
        list(client.assets.usage(NO_ASSET))


def test_usage_needs_the_right_to_read_tasks(admin: httpx2.Client, issue: Issue, ids: list[str]) -> None:
    answer = admin.get(f"/api/v1/media/assets/{ids[0]}/usage", headers=bearer(issue(scopes=["media:read"])))
    assert error_of(answer) == (403, "insufficient_scope")
    assert "tasks:read" in message_of(answer)


def test_what_nobody_uses_is_listed_by_a_filter(ann: Owner, client: Client) -> None:
    tag = ann.name
    used, free = (client.uploads.file("a.txt", name.encode(), tags=[tag]) for name in ("used", "free"))
    task = ann.tasks.create("t", attachments=[used.id])
    assert [one.id for one in client.assets.list(tags=tag, unused=True)] == [free.id]
    assert [one.id for one in client.assets.list(tags=tag, unused=False)] == [free.id, used.id]
    ann.tasks.update(task.id, attachments=[free.id])
    assert [one.id for one in client.assets.list(tags=tag, unused=True, sort="filename")] == [used.id]
    ann.tasks.trash(task.id)
    assert [one.id for one in client.assets.list(tags=tag, unused=True)] == [used.id], "the task may be restored"
    assert list(ann.client.assets.usage(free.id)) == []
    ann.tasks.delete(task.id)
    assert [one.id for one in client.assets.list(tags=tag, unused=True)] == [free.id, used.id]
