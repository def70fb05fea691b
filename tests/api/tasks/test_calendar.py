"""The calendar: a secret address, and what calendar programs understand of it."""

import json
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from icalendar import Calendar
from icalendar.prop import vCategory

from stowboard_client.errors import NotFound
from support.api.answers import error_of
from support.clients.task_owner import Owner
from support.tools.node import needs_node, run_tool

DAY = 24 * 3600 * 1000
SOON = (int(time.time()) // 60 * 60 + 3600) * 1000
TITLE = "Müll; Papier, Bio \\ Rest 🗑️ — " + "ü" * 90
BODY = "Zwei\nZeilen, und; ein \\ Strich"


@pytest.fixture
def full(ann: Owner) -> Owner:
    """An owner with a task of each kind that a calendar shows differently."""
    ann.tasks.create(TITLE, body=BODY, due_at=SOON, tags=["home", "a;b"])
    ann.tasks.create("Weekly", due_at=SOON + DAY, recurrence="FREQ=WEEKLY", time_zone="Europe/Berlin")
    done = ann.tasks.create("Over", due_at=SOON - DAY)
    ann.tasks.complete(done.id)
    ann.tasks.create("Sealed", due_at=SOON, visibility="zero-knowledge")
    ann.tasks.create("Undated")
    archived = ann.tasks.create("Archived", due_at=SOON)
    ann.tasks.archive(archived.id)
    return ann


def fetched(owner: Owner, url: str, **headers: str) -> httpx2.Response:
    return httpx2.get(url, headers=headers)


def entries(ics: bytes) -> list[Any]:
    return list(Calendar.from_ical(ics).subcomponents)


def test_dated_tasks_are_events_that_icalendar_reads(full: Owner) -> None:
    answer = fetched(full, full.tasks.create_calendar().url)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.headers["cache-control"] == "private, max-age=900"
    calendar = Calendar.from_ical(answer.content)
    assert calendar["X-WR-CALNAME"] == "Stowboard"
    events = {str(event["SUMMARY"]): event for event in calendar.walk("VEVENT")}
    assert set(events) == {TITLE, "Weekly", "✓ Over", "Sealed"}
    event = events[TITLE]
    assert event.decoded("DTSTART") == datetime.fromtimestamp(SOON / 1000, UTC)
    assert event.decoded("DTEND") - event.decoded("DTSTART") == timedelta(minutes=30)
    assert str(event["DESCRIPTION"]) == BODY
    categories = event["CATEGORIES"]
    assert isinstance(categories, vCategory)
    assert [str(each) for each in categories.cats] == ["home", "a;b"]
    assert str(event["TRANSP"]) == "TRANSPARENT"
    assert "DESCRIPTION" not in events["Sealed"]
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))
    assert b"\n" not in answer.content.replace(b"\r\n", b"")


def test_coming_occurrences_are_written_out_with_ids_that_stay(full: Owner) -> None:
    url = full.tasks.create_calendar().url
    before = [event for event in entries(fetched(full, url).content) if event["SUMMARY"] == "Weekly"]
    begins = [event.decoded("DTSTART") for event in before]
    assert 12 <= len(before) <= 13  # of 90 days
    assert all(later - earlier in _A_WEEK for earlier, later in pairwise(begins))
    assert len({str(event["UID"]) for event in before}) == len(before)
    full.tasks.create("Another", due_at=SOON)
    after = [event for event in entries(fetched(full, url).content) if event["SUMMARY"] == "Weekly"]
    assert [str(event["UID"]) for event in after] == [str(event["UID"]) for event in before]


#: An hour more or less where the clock is changed.
_A_WEEK = {timedelta(days=7), timedelta(days=7, hours=1), timedelta(days=7, hours=-1)}


def test_todos_are_for_programs_that_have_them(full: Owner) -> None:
    todos = entries(fetched(full, full.tasks.create_calendar().url + "?type=todo").content)
    assert {todo.name for todo in todos} == {"VTODO"}
    by_summary = {str(todo["SUMMARY"]): todo for todo in todos}
    assert set(by_summary) == {TITLE, "Weekly", "✓ Over", "Sealed"}
    assert str(by_summary["✓ Over"]["STATUS"]) == "COMPLETED"
    assert str(by_summary["Weekly"]["STATUS"]) == "NEEDS-ACTION"
    assert by_summary[TITLE].decoded("DUE") == datetime.fromtimestamp(SOON / 1000, UTC)


@needs_node
@pytest.mark.parametrize(("query", "kind"), [("", "vevent"), ("?type=todo", "vtodo")])
def test_ical_js_reads_the_same(full: Owner, query: str, kind: str) -> None:
    ics = fetched(full, full.tasks.create_calendar().url + query).content
    read = json.loads(run_tool("read_calendar.mjs", ics.decode()))
    ours = {(str(part["UID"]), str(part["SUMMARY"])) for part in entries(ics)}
    assert {(entry["uid"], entry["summary"]) for entry in read["entries"]} == ours
    [entry] = [entry for entry in read["entries"] if entry["summary"] == TITLE]
    assert (entry["kind"], entry["begins"], entry["description"]) == (kind, SOON, BODY)
    assert entry["categories"] == ["home", "a;b"]
    assert read["name"] == "Stowboard"


def test_the_etag_changes_with_the_contents_alone(full: Owner) -> None:
    url = full.tasks.create_calendar().url
    first = fetched(full, url)
    etag = first.headers["etag"]
    assert fetched(full, url).content == first.content
    again = fetched(full, url, **{"if-none-match": etag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    full.tasks.create("New", due_at=SOON)
    assert fetched(full, url, **{"if-none-match": etag}).status_code == 200


def test_without_titles_only_the_times_are_told(full: Owner) -> None:
    ics = fetched(full, full.tasks.create_calendar(titles=False).url).content
    assert {str(event["SUMMARY"]) for event in entries(ics)} == {"Busy"}
    for word in (b"Papier", b"Zeilen", b"home", b"tasks/"):
        assert word not in ics


def test_an_address_ends_when_another_is_made_or_it_is_deleted(ann: Owner) -> None:
    first = ann.tasks.create_calendar().url
    second = ann.tasks.create_calendar().url
    assert fetched(ann, first).status_code == 404
    assert fetched(ann, second).status_code == 200
    ann.tasks.delete_calendar()
    assert error_of(fetched(ann, second)) == (404, "not_found")
    with pytest.raises(NotFound):
        ann.tasks.delete_calendar()


def test_a_calendar_shows_its_owners_tasks_alone(full: Owner, ben: Owner) -> None:
    assert entries(fetched(ben, ben.tasks.create_calendar().url).content) == []


@pytest.mark.parametrize("file", ["x.ics", "x", ".ics", "a.b.ics", "%00.ics", "ü.ics", "a" * 200 + ".ics"])
def test_an_address_that_is_none_is_not_found(ann: Owner, file: str) -> None:
    assert fetched(ann, f"{ann.server.origin}/calendar/{file}").status_code == 404


def test_an_unknown_type_is_refused(ann: Owner) -> None:
    answer = fetched(ann, ann.tasks.create_calendar().url + "?type=journal")
    assert error_of(answer) == (400, "invalid_parameter")


def test_the_secret_is_neither_logged_nor_stored(ann: Owner) -> None:
    url = ann.tasks.create_calendar(idempotency_key="calendar").url
    assert ann.tasks.create_calendar(idempotency_key="calendar").url == url
    fetched(ann, url)
    marker = f"{ann.server.origin}/{ann.name}"
    fetched(ann, marker)
    token = url.rpartition("/")[2].removesuffix(".ics")
    while f"/{ann.name}" not in ann.server.log():
        time.sleep(0.05)
    assert token not in ann.server.log()
    assert "/calendar/{token}.ics" in ann.server.log()
    files = [file for file in ann.server.data_dir.rglob("*") if file.is_file()]
    assert not [file for file in files if token.encode() in file.read_bytes()]


def test_every_write_of_the_owner_is_in_the_next_answer(full: Owner) -> None:
    url = full.tasks.create_calendar().url
    seen = [fetched(full, url).content]

    def changed() -> bytes:
        seen.append(fetched(full, url).content)
        assert fetched(full, url).content == seen[-1]
        assert seen[-1] not in seen[:-1]
        return seen[-1]

    task = full.tasks.create("Fresh", due_at=SOON)
    assert b"SUMMARY:Fresh" in changed()
    full.tasks.update(task.id, body="more")
    assert b"DESCRIPTION:more" in changed()
    full.tasks.complete(task.id)
    assert "SUMMARY:✓ Fresh".encode() in changed()
    full.tasks.archive(task.id)
    assert b"Fresh" not in fetched(full, url).content
    assert b"BEGIN:VTODO" in fetched(full, f"{url}?type=todo").content
    other = full.tasks.create_calendar(titles=False).url
    assert b"SUMMARY:Busy" in fetched(full, other).content
    assert fetched(full, url).status_code == 404


def test_an_address_has_a_bucket_of_the_rate_limit(make_server: Any, stack: Any) -> None:
    server = make_server(stack() | {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "1", "STOWBOARD_RATE_LIMIT_BURST": "5"})
    owner = Owner(server)
    url = owner.tasks.create_calendar().url
    answers = [httpx2.get(url) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert error_of(answers[-1]) == (429, "rate_limited")
    assert int(answers[-1].headers["retry-after"]) >= 1
    owner.tasks.create("Nobody else is held up")
    guesses = [httpx2.get(f"{server.origin}/calendar/{n}.ics").status_code for n in range(6)]
    assert (guesses[0], guesses[-1]) == (404, 429)
    owner.close()


def test_a_calendar_of_my_work_has_what_is_assigned_to_me(ann: Owner) -> None:
    ann.tasks.create("Mine", due_at=SOON, assignees=[ann.name])
    ann.tasks.create("Nobody's", due_at=SOON)
    url = ann.tasks.create_calendar(assigned_to_me=True).url
    assert [str(entry["SUMMARY"]) for entry in entries(fetched(ann, url).content)] == ["Mine"]
