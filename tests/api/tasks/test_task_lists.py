"""Lists of tasks through the API: filters, pages and cursors."""

import threading
from typing import Any

import pytest

from stowboard_client import Board, Client, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.task_owner import Owner
from support.stored.rows import rows

TASKS = "/taskapp/tasks"
TITLES = [
    "Buy MILK", "Straße fegen", "École", "ЕЩЁ раз", "日本語", "100% sure", "1000 sure", "a_b", "axb", "wow!",
    "back\\slash",
]  # fmt: skip
OTHER_FILTERS: list[dict[str, Any]] = [
    {}, {"tags": "y"}, {"tags": "x", "status": "todo"}, {"tags": "x", "archived": True}, {"tags": "x", "q": "a"},
    {"tags": "x", "due_before": 5}, {"tags": "x", "board_id": "brd_x"},
]  # fmt: skip


@pytest.fixture
def lister(ann: Owner) -> Owner:
    """Ann, with her index active."""
    ann.tasks.activate_index()
    return ann


def titles(owner: Owner, **filters: Any) -> str:
    return "".join(task.title for task in owner.tasks.list(**filters))


def test_the_newest_comes_first_and_there_is_no_total(lister: Owner) -> None:
    lister.create("abc")
    answer = lister.http.get(TASKS)
    assert [task["title"] for task in data_of(answer)] == ["c", "b", "a"]
    assert answer.json()["meta"] == {"limit": 50, "hasMore": False, "nextCursor": None}
    assert not any("total" in name or "count" in name for name in answer.headers)


def test_an_empty_list_is_a_page_without_more(lister: Owner) -> None:
    answer = lister.http.get(TASKS)
    assert data_of(answer) == []
    assert answer.json()["meta"]["hasMore"] is False


def test_a_status_is_a_filter(lister: Owner) -> None:
    a, b, _ = lister.create("abc")
    lister.tasks.move(a.id, "in_progress")
    lister.tasks.complete(b.id)
    assert [titles(lister, status=status) for status in ("todo", "in_progress", "done")] == ["c", "a", "b"]
    assert titles(lister) == "cba"


def test_all_of_the_given_tags_must_be_there(lister: Owner) -> None:
    lister.create("a", tags=["x", "y", "z"])
    lister.create("b", tags=["x", "y"])
    lister.create("c", tags=["x"])
    lister.create("d")
    assert [titles(lister, tags=tags) for tags in ("x", "x,y", "y,x", "z,x,y", "x,w", "w")] == [
        "cba", "ba", "ba", "a", "", "",
    ]  # fmt: skip
    assert titles(lister, tags=" x , ,y,") == "ba"
    assert titles(lister, tags="X") == ""
    assert error_of(lister.http.get(TASKS, params={"tags": ""})) == (400, "invalid_parameter")


def test_archived_tasks_are_left_out_or_included_or_all_there_is(lister: Owner) -> None:
    _, b, _, d = lister.create("abcd", tags=["x"])
    lister.tasks.archive(b.id)
    lister.tasks.archive(d.id)
    for more in ({}, {"tags": "x"}, {"status": "todo"}, {"q": ""}):
        filters: dict[str, Any] = {name: value or None for name, value in more.items()}
        assert titles(lister, **filters) == "ca"
        assert titles(lister, archived=False, **filters) == "ca"
        assert titles(lister, archived=True, **filters) == "dcba"
        assert titles(lister, archived="only", **filters) == "db"
    assert "".join(task.title for task in lister.tasks.list(archived=True, limit=1)) == "dcba"
    lister.tasks.restore(b.id)
    assert titles(lister) == "cba"


def test_a_board_is_a_filter(lister: Owner, board: Board) -> None:
    lister.create("a")
    b, *_ = lister.place(board, "bc")
    assert titles(lister, board_id=board.id) == "bc"
    assert titles(lister, board_id=board.id, sort="-createdAt") == "cb"
    lister.tasks.move(b.id, "done", board=None)
    assert titles(lister, board_id=board.id) == "c"
    assert titles(lister, board_id=board.id, status="done") == ""


def test_due_dates_are_filters_that_leave_out_tasks_without_one(lister: Owner) -> None:
    lister.create("a", due_at=100)
    lister.create("b", due_at=200)
    lister.create("c")
    assert titles(lister, due_before=200) == "a"
    assert titles(lister, due_before=201) == "ba"
    assert titles(lister, due_after=100) == "ba"
    assert titles(lister, due_after=101) == "b"
    assert titles(lister, due_after=100, due_before=200) == "a"
    assert titles(lister, due_before=0) == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("milk", "Buy MILK"), ("MILK", "Buy MILK"), ("buy mi", "Buy MILK"), ("straße", "Straße fegen"),
        ("STRASSE", "Straße fegen"), ("éCOLE", "École"), ("ещё", "ЕЩЁ раз"), ("日本", "日本語"), ("本語", "日本語"),
        ("100% su", "100% sure"), ("a_b", "a_b"), ("wow!", "wow!"), ("back\\sl", "back\\slash"),
        ('"in the body"', "One"), ("THE BÖDY two", "Two"),
    ],
)  # fmt: skip
def test_a_search_looks_into_titles_and_bodies_whatever_the_case(lister: Owner, text: str, found: str) -> None:
    lister.tasks.create("One", body="Deep in the body.")
    lister.tasks.create("Two", body="Deep ín one body, the bödy two.", tags=["not in"])
    for title in TITLES:
        lister.tasks.create(title)
    assert [task.title for task in lister.tasks.list(q=text)] == [found]


def test_a_search_follows_changes(lister: Owner) -> None:
    [task] = lister.create("a", body="needle")
    assert titles(lister, q="needle") == "a"
    lister.tasks.update(task.id, body=None)
    assert titles(lister, q="needle") == ""


def test_filters_are_joined(lister: Owner) -> None:
    lister.create("abc", tags=["x"], due_at=5, body="needle")
    lister.create("d", tags=["x"], due_at=5)
    lister.create("e", tags=["x"], body="needle")
    f = lister.create("f", tags=["x"], due_at=5, body="needle", status="done")[0]
    lister.tasks.archive(f.id)
    everything: dict[str, Any] = {"tags": "x", "due_before": 6, "q": "needle"}
    assert titles(lister, **everything) == "cba"
    assert titles(lister, archived=True, **everything) == "fcba"
    assert titles(lister, archived="only", status="todo", **everything) == ""


@pytest.mark.parametrize(("limit", "size"), [("1", 1), ("100", 100), ("101", 100), ("5000", 100), ("9" * 15, 100)])
def test_a_limit_is_clamped_to_100_and_says_so(lister: Owner, limit: str, size: int) -> None:
    answer = lister.http.get(TASKS, params={"limit": limit})
    assert data_of(answer) == []
    assert answer.json()["meta"]["limit"] == size


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6, 7])
def test_pages_join_to_the_whole_list(lister: Owner, limit: int) -> None:
    lister.create("abcdef", tags=["x"])
    for filters in ({}, {"tags": "x"}, {"status": "todo"}, {"q": "", "due_after": None}, {"archived": True}):
        wanted: dict[str, Any] = {name: value or None for name, value in filters.items()}
        pages = list(lister.tasks.list(limit=limit, **wanted).pages())
        assert "".join(task.title for page in pages for task in page.items) == "fedcba"
        assert [page.meta.has_more for page in pages] == [True] * (len(pages) - 1) + [False]
        assert len(pages) == -(-6 // limit)


def test_a_cursor_is_good_for_its_list_alone(lister: Owner, ben: Owner, client: Client) -> None:
    lister.create("abc", tags=["x"])
    ben.tasks.activate_index()
    cursor = lister.tasks.list(tags="x", limit=1).page().meta.next_cursor
    assert cursor is not None
    assert [task.title for task in lister.tasks.list(tags="x", limit=2).page(cursor).items] == ["b", "a"]
    for filters in OTHER_FILTERS:
        with pytest.raises(errors.InvalidCursor):
            lister.tasks.list(**filters).page(cursor)
    with pytest.raises(errors.InvalidCursor):
        ben.tasks.list(tags="x").page(cursor)
    with pytest.raises(errors.InvalidCursor):
        lister.client.tags.list().page(cursor)


@pytest.mark.parametrize(
    "damage", [lambda c: c[:-1], lambda c: c + "A", lambda c: "x" + c, lambda c: c[::-1], lambda c: ""]
)
def test_a_cursor_that_was_tampered_with_is_refused(lister: Owner, damage: Any) -> None:
    lister.create("abc")
    cursor = lister.tasks.list(limit=1).page().meta.next_cursor
    answer = lister.http.get(TASKS, params={"cursor": damage(cursor)})
    assert error_of(answer) == (400, "invalid_cursor")


def test_a_cursor_survives_the_task_that_it_stands_on(lister: Owner) -> None:
    *_, c, _ = lister.create("abcd")
    page = lister.tasks.list(limit=2).page()
    lister.tasks.delete(c.id)
    assert [task.title for task in lister.tasks.list(limit=2).page(page.meta.next_cursor).items] == ["b", "a"]


@pytest.mark.parametrize("filters", [{}, {"tags": "stay"}, {"archived": True, "tags": "stay,put"}, {"q": "stay"}])
def test_whoever_writes_meanwhile_a_walk_sees_what_stays_exactly_once(lister: Owner, filters: dict[str, Any]) -> None:
    staying = {lister.tasks.create(f"stay {n}", tags=["stay", "put"]).id for n in range(30)}
    passing = [lister.tasks.create(f"stay {n}", tags=["stay", "put"]).id for n in range(10)]
    done = threading.Event()
    failures: list[Exception] = []

    def write() -> None:
        try:
            while not done.is_set():
                passing.append(lister.tasks.create("stay new", tags=["stay", "put"]).id)
                lister.tasks.update(passing[len(passing) // 2], tags=["gone"])
                lister.tasks.archive(passing[-2])
                lister.tasks.delete(passing.pop(0))
        except Exception as error:
            failures.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for limit in (3, 7, 4):
            seen = [task.id for task in lister.tasks.list(limit=limit, **filters)]
            assert len(seen) == len(set(seen))
            assert staying <= set(seen)
            assert seen == sorted(seen, reverse=True)
    finally:
        done.set()
        writer.join()
    assert not failures


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("limit", "0"), ("limit", "-1"), ("limit", "ten"), ("limit", "1.5"), ("limit", ""), ("status", "closed"),
        ("status", ""), ("status", "TODO"), ("archived", "maybe"), ("archived", "1"), ("archived", ""),
        ("dueBefore", "-1"), ("dueBefore", "soon"), ("dueBefore", "1.5"), ("dueBefore", "9" * 30),
        ("dueAfter", "253402300800000"), ("dueAfter", "9223372036854775808"), ("q", ""), ("q", "x" * 201),
    ],
)  # fmt: skip
def test_a_wrong_parameter_is_named(lister: Owner, parameter: str, value: str) -> None:
    answer = lister.http.get(TASKS, params={parameter: value})
    assert error_of(answer) == (400, "invalid_parameter")
    assert parameter in message_of(answer)


def test_tags_are_counted_over_tasks_that_are_not_archived(lister: Owner) -> None:
    def tags() -> dict[str, int]:
        return {tag.tag: tag.count for tag in lister.client.tags.list(limit=2)}

    a, b, _ = lister.create("abc", tags=["x", "y"])
    assert tags() == {"x": 3, "y": 3}
    lister.tasks.archive(a.id)
    lister.tasks.update(b.id, tags=["y", "z"])
    assert tags() == {"x": 1, "y": 2, "z": 1}
    lister.tasks.restore(a.id)
    lister.tasks.delete(b.id)
    assert tags() == {"x": 2, "y": 2}


def test_tags_are_paged_in_the_order_of_their_code_points(lister: Owner) -> None:
    names = ["a", "B", "ä", "Z", "_", "-x", "日本", "1", "10", "2", "é", "e"]
    lister.create("t", tags=names)
    pages = list(lister.client.tags.list(limit=5).pages())
    assert [tag.tag for page in pages for tag in page.items] == sorted(names)
    assert [page.meta.has_more for page in pages] == [True, True, False]


def test_a_tag_that_no_task_has_any_more_leaves_nothing_behind(lister: Owner) -> None:
    a, b = lister.create("ab", tags=["secret"])
    lister.tasks.archive(a.id)
    lister.tasks.delete(a.id)
    lister.tasks.update(b.id, tags=[])
    for table in ("task_tag", "task_tag_part"):
        assert rows(lister.server, f"SELECT * FROM {table} WHERE owner = '{lister.name}'") == []


def test_a_tag_is_found_however_it_was_typed(ann: Owner) -> None:
    ann.tasks.activate_index()
    composed, apart = "caf\u00e9", "cafe\u0301"
    task = ann.tasks.create("a", tags=[apart, composed])
    assert task.tags == (composed,)
    for typed in (composed, apart):
        assert [one.id for one in ann.tasks.list(tags=[typed])] == [task.id]
    assert ann.tasks.update(task.id, tags=[apart]) == task


def test_a_filter_without_a_tag_or_of_an_unknown_board_is_refused_by_name(lister: Owner, ben: Owner) -> None:
    theirs = ben.boards.create("Theirs").id
    for tags in ("", ",", " , "):
        answer = lister.http.get("/taskapp/tasks", params={"tags": tags})
        assert error_of(answer) == (400, "invalid_parameter")
        assert "tags" in message_of(answer)
    for board in ("brd_01kbr2x4q8e9w6y3t7n5m1c0vz", "nonsense", theirs):
        for more in ({}, {"sort": "dueAt"}, {"q": "x"}):
            answer = lister.http.get("/taskapp/tasks", params={"boardId": board, **more})
            assert error_of(answer) == (400, "invalid_parameter")
            assert board in message_of(answer)
        answer = lister.http.post("/taskapp/tasks", json={"title": "x", "boardId": board})
        assert error_of(answer) == (400, "validation_failed")
        assert board in message_of(answer)


def test_no_page_is_empty_while_more_follow_however_rare_what_is_asked_for(lister: Owner) -> None:
    early, *_ = lister.create("e", due_at=5)
    operations = [{"op": "create", "title": "late", "dueAt": 50} for _ in range(100)]
    for _ in range(11):
        lister.http.post("/taskapp/tasks/batch", json={"operations": operations})
    orders: list[dict[str, str]] = [{}, {"sort": "-updatedAt"}]
    for order in orders:
        answer = lister.http.get("/taskapp/tasks", params={"dueBefore": 10, **order}).json()
        assert [task["id"] for task in answer["data"]] == [early.id]
        assert answer["meta"]["hasMore"] is False


def test_a_tag_of_archived_tasks_alone_is_not_listed(lister: Owner) -> None:
    a, b = lister.create("ab", tags=["old"])
    lister.create("c", tags=["new"])
    for task in (a, b):
        lister.tasks.archive(task.id)
    assert [tag.tag for tag in lister.client.tags.list()] == ["new"]
    assert titles(lister, tags="old", archived="only") == "ba"
    lister.tasks.restore(a.id)
    assert {tag.tag: tag.count for tag in lister.client.tags.list()} == {"new": 1, "old": 1}


@pytest.mark.parametrize("sort", [None, "createdAt", "dueAt", "updatedAt"])
def test_tasks_of_several_statuses_and_open_ones_are_listed_in_every_order(lister: Owner, sort: Any) -> None:
    lister.create("a", due_at=5)
    lister.create("b", status="in_progress")
    lister.create("c", status="done", due_at=6)
    listed = {
        wanted: "".join(sorted(titles(lister, status=wanted, sort=sort)))
        for wanted in ("open", "todo,done", "done,todo,in_progress", "in_progress", "done,done")
    }
    assert listed == {
        "open": "ab", "todo,done": "ac", "done,todo,in_progress": "abc", "in_progress": "b", "done,done": "c"
    }  # fmt: skip
    assert titles(lister, status=["todo", "done"], q="a") == "a"
    assert titles(lister, status="open", due="none", sort=sort) == "b"


def test_the_statuses_of_a_board_are_listed_in_its_order(lister: Owner, board: Board) -> None:
    lister.place(board, "ab")
    lister.place(board, "c", "in_progress")
    lister.place(board, "d", "done")
    assert titles(lister, board_id=board.id, status="open") == "abc"
    assert titles(lister, board_id=board.id, status=["done", "todo"]) == "abd"


@pytest.mark.parametrize("sort", [None, "dueAt", "-updatedAt"])
def test_tasks_without_a_date_are_listed_page_by_page(lister: Owner, sort: Any) -> None:
    lister.create("abcde")
    lister.create("xyz", due_at=5)
    assert sorted(titles(lister, due="none", sort=sort, limit=2)) == list("abcde")
    assert titles(lister, due="none", due_before=9, sort=sort) == ""


@pytest.mark.parametrize(("name", "value"), [("status", "open,todo"), ("status", "closed"), ("due", "some")])
def test_an_unknown_status_or_date_is_refused(lister: Owner, name: str, value: str) -> None:
    answer = lister.http.get(TASKS, params={name: value})
    assert error_of(answer) == (400, "invalid_parameter")
    assert message_of(answer).startswith(f"{name}: ")
