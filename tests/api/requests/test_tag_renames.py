"""Tags renamed and merged, of tasks and of media, at once and by a job."""

import secrets
from collections.abc import Iterator

import pytest

from stowboard_client import Client, errors, task_operation
from support.clients.task_owner import Owner
from support.servers.stowboard import Server
from support.waiting import wait_until


@pytest.fixture
def ben(server: Server) -> Iterator[Owner]:
    owner = Owner(server)
    yield owner
    owner.close()


@pytest.fixture
def ann(ann: Owner) -> Owner:
    ann.tasks.activate_index()
    return ann


def test_a_tag_of_tasks_is_renamed_in_its_place_and_merged(ann: Owner, ben: Owner) -> None:
    [theirs] = ben.create("t", tags=["old"])
    [a] = ann.create("a", tags=["x", "old", "y"])
    [b] = ann.create("b", tags=["new", "old"])
    [c] = ann.create("c", tags=["x"])
    ann.tasks.archive(b.id)
    done = ann.client.tags.rename(" old ", "new")
    assert (done.id, done.status, done.done, done.total) == (None, "done", 2, 2)
    assert ann.tasks.get(a.id).tags == ("x", "new", "y")
    assert ann.tasks.get(b.id).tags == ("new",)
    assert (ann.tasks.get(c.id), ben.tasks.get(theirs.id)) == (c, theirs)
    assert {one.tag: one.count for one in ann.client.tags.list()} == {"new": 1, "x": 2, "y": 1}
    assert ann.events(a.id) == ["task.created", "task.updated"]
    assert ann.tasks.get(a.id).version == 2
    assert ann.client.tags.rename("old", "new").done == 0
    assert ann.client.tags.rename("new", "new").done == 0


def test_a_tag_of_many_tasks_is_renamed_by_a_job_that_tells_how_far_it_is(ann: Owner, ben: Owner) -> None:
    for _ in range(3):
        ann.tasks.batch([task_operation("create", title="t", tags=["old", "x"])] * 70)
    begun = ann.client.tags.rename("old", "new")
    assert begun.id is not None
    assert begun.total == 210
    wait_until(lambda: ann.client.tags.rename_progress(begun.id or "").status == "done")
    ended = ann.client.tags.rename_progress(begun.id)
    assert (ended.done, ended.total) == (210, 210)
    assert {one.tag: one.count for one in ann.client.tags.list()} == {"new": 210, "x": 210}
    assert len(list(ann.tasks.list(q="tag:new t", limit=200))) == 210
    assert list(ann.tasks.list(q="tag:old")) == []
    with pytest.raises(errors.NotFound):
        ben.client.tags.rename_progress(begun.id)
    with pytest.raises(errors.NotFound):
        ann.client.assets.tag_rename_progress(begun.id)


def test_a_tag_of_media_is_renamed_on_assets_and_videos(client: Client) -> None:
    old, new = (secrets.token_hex(6) for _ in range(2))
    asset = client.uploads.file("a.txt", b"a", tags=["x", old])
    both = client.uploads.file("b.txt", b"b", tags=[old, new])
    video = client.videos.create("v", tags=[old])
    done = client.assets.rename_tag(old, new)
    assert (done.status, done.done) == ("done", 3)
    assert client.assets.get(asset.id).tags == ("x", new)
    assert client.assets.get(both.id).tags == (new,)
    assert client.videos.get(video.id).tags == (new,)
    assert [one.id for one in client.assets.list(tags=new)] == [both.id, asset.id]
    assert [
        *client.assets.list(tags=old), *client.videos.list(tags=old), *client.search(old, types="asset,video"),
    ] == []  # fmt: skip


def test_a_tag_of_much_media_is_renamed_by_a_job(client: Client) -> None:
    old, new = (secrets.token_hex(6) for _ in range(2))
    for number in range(101):
        client.videos.create(f"v{number}", tags=[old])
    begun = client.assets.rename_tag(old, new)
    assert begun.id is not None
    wait_until(lambda: client.assets.tag_rename_progress(begun.id or "").status == "done")
    assert client.assets.tag_rename_progress(begun.id).done == 101
    assert len(list(client.videos.list(tags=new))) == len(list(client.videos.list(q=f"tag:{new}"))) == 101
    assert list(client.search(old, types="asset,video")) == []


@pytest.mark.parametrize(("old", "new", "said"), [("a,b", "c", "from:"), ("a", " ", "to:")])
def test_tags_that_are_none_are_refused(ann: Owner, client: Client, old: str, new: str, said: str) -> None:
    for rename in (ann.client.tags.rename, client.assets.rename_tag):
        with pytest.raises(errors.ValidationFailed, match=said):
            rename(old, new)


def test_without_an_index_tags_of_tasks_are_not_renamed(ben: Owner) -> None:
    with pytest.raises(errors.TaskIndexNotActivated):
        ben.client.tags.rename("a", "b")
