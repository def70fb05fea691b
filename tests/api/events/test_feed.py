"""The feed: whoever follows its cursors reads every event that they may see, once and in order."""

import re
from collections.abc import Iterator, Sequence

import httpx2
import pytest

from stowboard_client import Client, errors
from support.api.answers import error_of
from support.clients.credentials import Issue, bearer
from support.clients.task_owner import Owner
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until


def kinds(client: Client, cursor: str, *, types: Sequence[str] = (), subject: str | None = None) -> list[str]:
    """The types of all events that can be seen after the cursor."""
    return [event.type for event in client.events.list(cursor=cursor, types=types, subject=subject)]


def now(owner: Owner) -> str:
    """The cursor behind all that has happened."""
    wait_until(lambda: rows(owner.server, "SELECT 1 FROM event WHERE position IS NULL LIMIT 1") == [])
    cursor = owner.client.events.list().page().meta.next_cursor
    assert cursor is not None
    return cursor


def wait_for(client: Client, cursor: str, count: int) -> None:
    """Positions may be given a moment after the commit."""
    wait_until(lambda: len(kinds(client, cursor)) >= count)


def test_who_follows_the_cursors_sees_each_event_once(ann: Owner) -> None:
    cursor = now(ann)
    tasks = ann.create("abcdefg")
    seen: list[str] = []
    while len(seen) < len(tasks):
        page = ann.client.events.list(cursor=cursor, limit=3).page()
        seen += [event.subject for event in page.items]
        assert page.meta.next_cursor is not None
        cursor = page.meta.next_cursor
    assert seen == [task.id for task in tasks]
    last = ann.client.events.list(cursor=cursor).page()
    assert (last.items, last.meta.has_more) == ((), False)
    assert last.meta.next_cursor is not None


def test_without_a_cursor_the_feed_begins_now(ann: Owner) -> None:
    ann.create("a")
    cursor = now(ann)
    ann.tasks.complete(ann.create("b")[0].id)
    wait_for(ann.client, cursor, 2)
    assert kinds(ann.client, cursor) == ["task.created", "task.completed"]


def test_all_that_is_kept_can_be_read_from_the_start(ann: Owner) -> None:
    cursor = now(ann)
    tasks = ann.create("abc")
    wait_for(ann.client, cursor, 3)
    told = ann.client.events.list(types=["task.created"], from_start=True, space="own")
    assert [event.subject for event in told] == [task.id for task in tasks]


def test_an_event_has_the_members_that_are_documented(ann: Owner) -> None:
    cursor = now(ann)
    [task] = ann.create("a")
    wait_for(ann.client, cursor, 1)
    [event] = ann.http.get("/events", params={"cursor": cursor}).json()["data"]
    assert list(event) == ["id", "type", "timestamp", "sequence", "subject", "data", "spaceId", "actor"]
    assert event["id"].startswith("evt_")
    assert (event["type"], event["subject"]) == ("task.created", task.id)
    assert event["data"] == {"taskId": task.id, "version": 1}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["timestamp"])
    assert isinstance(event["sequence"], int)


def test_events_can_be_chosen_by_their_kind_and_subject(ann: Owner) -> None:
    cursor = now(ann)
    a, b = ann.create("ab")
    board = ann.boards.create("House")
    ann.tasks.complete(a.id)
    wait_for(ann.client, cursor, 4)
    assert kinds(ann.client, cursor, types=["board.*"]) == ["board.created"]
    assert kinds(ann.client, cursor, types=["task.completed", "board.created"]) == ["board.created", "task.completed"]
    assert kinds(ann.client, cursor, types=["task.*"]) == ["task.created", "task.created", "task.completed"]
    assert kinds(ann.client, cursor, subject=a.id) == ["task.created", "task.completed"]
    assert kinds(ann.client, cursor, subject=b.id, types=["task.completed"]) == []
    assert kinds(ann.client, cursor, subject=board.id) == ["board.created"]


def test_tasks_and_boards_of_others_are_not_seen(ann: Owner, ben: Owner) -> None:
    cursor = now(ann)
    [theirs] = ben.create("x")
    ben.boards.create("Theirs")
    [own] = ann.create("a")
    wait_for(ann.client, cursor, 1)
    wait_for(ben.client, cursor, 2)
    assert [event.subject for event in ann.client.events.list(cursor=cursor)] == [own.id]
    assert kinds(ann.client, cursor, subject=theirs.id) == []


@pytest.fixture
def only_media(server: Server, issue: Issue) -> Iterator[Client]:
    with Client(server.origin, issue("cleo", scopes=["media:read"]).token) as client:
        yield client


@pytest.fixture
def only_tasks(server: Server, ann: Owner, issue: Issue) -> Iterator[Client]:
    with Client(server.origin, issue(ann.name, scopes=["tasks:read"]).token) as client:
        yield client


def test_what_a_token_sees_follows_its_scopes(ann: Owner, only_media: Client, only_tasks: Client) -> None:
    cursor = now(ann)
    asset = ann.client.uploads.file("notes.txt", b"some notes").id
    ann.create("a")
    wait_for(ann.client, cursor, 3)
    media = ["media.asset.created", "media.asset.ready"]
    assert kinds(ann.client, cursor) == [*media, "task.created"]
    assert kinds(only_tasks, cursor) == ["task.created"]
    assert kinds(only_media, cursor, subject=asset) == media, "media is everybody's who may read it"
    with pytest.raises(errors.InsufficientScope, match="tasks:read"):
        kinds(only_media, cursor, types=["task.created"])
    with pytest.raises(errors.InsufficientScope, match="media:read"):
        kinds(only_tasks, cursor, types=["media.*"])
    assert kinds(only_tasks, cursor, types=["media.*", "task.*"]) == ["task.created"]


def test_a_token_that_reads_neither_sees_nothing(server: Server, issue: Issue, web: httpx2.Client) -> None:
    blind = issue("dora", scopes=[])
    for path in ("/api/v1/events?types=task.*,media.*", "/api/v1/events/stream?types=task.*"):
        assert error_of(web.get(path, headers=bearer(blind.token))) == (403, "insufficient_scope")


WRONG = [
    ("cursor=", "invalid_cursor"), ("cursor=p", "invalid_cursor"), ("cursor=p-1", "invalid_cursor"),
    ("cursor=p01", "invalid_cursor"), ("cursor=12", "invalid_cursor"), ("cursor=p1%20", "invalid_cursor"),
    ("cursor=p%D9%A1", "invalid_cursor"), ("cursor=p9999999999999999999", "invalid_cursor"),
    ("types=", "invalid_parameter"), ("types=task", "invalid_parameter"), ("types=*", "invalid_parameter"),
    ("types=task.created,", "invalid_parameter"), ("types=task.%25", "invalid_parameter"),
    ("types=nothing.*", "invalid_parameter"), ("types=.*", "invalid_parameter"), ("subject=", "invalid_parameter"),
    ("subject=" + "x" * 65, "invalid_parameter"), ("types=" + "x" * 2001, "invalid_parameter"),
]  # fmt: skip


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(("query", "code"), WRONG)
@pytest.mark.parametrize("path", ["/events", "/events/stream"])
def test_what_cannot_be_understood_is_refused(ann: Owner, path: str, query: str, code: str) -> None:
    assert error_of(ann.http.get(f"{path}?{query}")) == (400, code)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("query", ["limit=0", "limit=x", "from=now", "from="])
def test_a_page_that_cannot_be_is_refused(ann: Owner, query: str) -> None:
    assert error_of(ann.http.get(f"/events?{query}")) == (400, "invalid_parameter")


def test_a_cursor_from_before_what_is_kept_has_expired(ann: Owner) -> None:
    ann.create("ab")
    now(ann)
    rows(ann.server, "DELETE FROM event WHERE position <= (SELECT swept + 1 FROM feed_head)")
    rows(ann.server, "UPDATE feed_head SET swept = swept + 1")
    with pytest.raises(errors.CursorExpired):
        ann.client.events.list(cursor="p0").page()
    assert ann.client.events.list(from_start=True).page().meta.next_cursor is not None
    assert error_of(ann.http.get("/events?cursor=p999999999999999999")) == (410, "cursor_expired")


def test_the_feed_and_the_rows_agree(ann: Owner) -> None:
    cursor = now(ann)
    for task in ann.create("abc"):
        ann.tasks.update(task.id, title="x")
        ann.tasks.archive(task.id)
    wait_for(ann.client, cursor, 9)
    told = [(event.id, event.type, event.subject, event.sequence) for event in ann.client.events.list(cursor=cursor)]
    stored = rows(
        ann.server, f"SELECT id, type, subject, position FROM event WHERE owner = '{ann.name}' ORDER BY position"
    )
    assert told == stored
