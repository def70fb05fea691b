"""Comments: written by commenters, changed by their authors, found by search, never in an event."""

from collections.abc import Callable
from typing import Any

import pytest

from support.api.answers import data_of, error_of
from support.stored.rows import rows

Url = Callable[..., str]
SECRET = "Zwetschgenkuchen"


def comment(person: Any, url: Url, task: Any, body: str = "c", **members: Any) -> Any:
    return data_of(person.api.post(url(task, "comments"), json={"body": body, **members}), 201)


def test_a_comment_is_written_changed_and_deleted(team: Any, url: Url) -> None:
    task = team.make()
    first = comment(team.kim, url, task, "*Hello* <b>")
    assert (first["author"], first["body"], first["version"]) == (team.kim.name, "*Hello* <b>", 1)
    assert (first["editedAt"], first["imported"], first["mentions"]) == (None, None, [])
    assert (first["actor"]["person"], first["actor"]["door"]) == (team.kim.name, "/api/v1")
    second = comment(team.ann, url, task)
    assert data_of(team.vic.api.get(url(task, "comments"))) == [second, first]
    answer = team.kim.api.patch(url(task, "comments", first["id"]), json={"body": "Bye"})
    changed = data_of(answer)
    assert (changed["body"], changed["version"], changed["editedAt"] is not None) == ("Bye", 2, True)
    assert answer.headers["etag"] == '"4"'
    assert (team.get(task)["commentCount"], team.get(task)["version"]) == (2, 4)
    data_of(team.kim.api.delete(url(task, "comments", first["id"])))
    data_of(team.ann.api.delete(url(task, "comments", second["id"])))
    assert (data_of(team.ann.api.get(url(task, "comments"))), team.get(task)["commentCount"]) == ([], 0)
    kinds = ("task.commented", "task.comment.edited", "task.comment.deleted")
    assert [len(team.events(task, kind)) for kind in kinds] == [2, 1, 2]


def test_pages_of_comments_are_newest_first(team: Any, url: Url) -> None:
    task = team.make()
    made = [comment(team.kim, url, task, str(number))["id"] for number in range(3)]
    page = team.kim.api.get(url(task, "comments"), params={"limit": 2}).json()
    rest = team.kim.api.get(url(task, "comments"), params={"limit": 2, "cursor": page["meta"]["nextCursor"]}).json()
    assert [one["id"] for one in (*page["data"], *rest["data"])] == made[::-1]
    assert rest["meta"]["hasMore"] is False


def test_members_are_mentioned_and_anybody_else_is_text(team: Any, url: Url) -> None:
    task = team.make()
    ben, kim, eve = team.ben.name, team.kim.name, team.eve.name
    written = comment(team.ann, url, task, f"@{ben}, (@{kim}) and @{eve}, not a@{kim}.org or @nobody. @{ben.upper()}!")
    assert written["mentions"] == [ben, kim]
    assert f'"mentions":["{ben}","{kim}"]' in team.events(task, "task.commented")[0]
    changed = data_of(
        team.ann.api.patch(url(task, "comments", written["id"]), json={"body": f"@{kim} @{team.vic.name}"})
    )
    assert changed["mentions"] == [kim, team.vic.name]
    assert f'"mentions":["{team.vic.name}"]' in team.events(task, "task.comment.edited")[0], "only those who are new"


def test_search_finds_a_task_by_its_comments_as_long_as_they_are_there(team: Any, url: Url) -> None:
    task = team.make("Cake")

    def found(words: str) -> bool:
        listed = data_of(team.vic.api.get("/taskapp/tasks", params={"q": words, "spaceId": team.space_id}))
        return task["id"] in [one["id"] for one in listed]

    made = comment(team.kim, url, task, f"My {SECRET} is ready")
    assert found(SECRET)
    data_of(team.ben.api.patch(url(task), json={"title": "Pie", "body": "other words"}))
    assert found(SECRET)
    assert found("other words")
    data_of(team.kim.api.patch(url(task, "comments", made["id"]), json={"body": "Apfelkuchen"}))
    assert (found(SECRET), found("Apfelkuchen")) == (False, True)
    data_of(team.kim.api.delete(url(task, "comments", made["id"])))
    assert not found("Apfelkuchen")
    said = rows(team.server, f"SELECT data FROM event WHERE subject = '{task['id']}'")
    assert not any(b"kuchen" in bytes(data) for (data,) in said)


def test_only_its_author_changes_a_comment_and_managers_delete_any(team: Any, url: Url) -> None:
    task = team.make()
    made = comment(team.kim, url, task)
    for person in (team.ann, team.ben, team.vic):
        answer = person.api.patch(url(task, "comments", made["id"]), json={"body": "x"})
        assert error_of(answer) == (403, "insufficient_role")
    for person in (team.ben, team.vic):
        assert error_of(person.api.delete(url(task, "comments", made["id"]))) == (403, "insufficient_role")
    assert error_of(team.vic.api.post(url(task, "comments"), json={"body": "x"})) == (403, "insufficient_role")
    other = team.make()
    elsewhere = team.kim.api.patch(url(other, "comments", made["id"]), json={"body": "x"})
    assert error_of(elsewhere) == (404, "not_found")
    assert error_of(team.eve.api.get(url(task, "comments"))) == (404, "not_found")
    assert data_of(team.ann.api.get(url(task, "comments"))) == [made]
    data_of(team.ann.api.delete(url(task, "comments", made["id"])))


def test_who_has_left_the_space_changes_nothing_there(team: Any, url: Url) -> None:
    guest = type(team.ben)(team.server, "guest")
    with guest.api:
        team.ann.add(team.space_id, guest)
        task = team.make()
        made = comment(guest, url, task)
        data_of(team.ann.api.delete(f"/spaces/{team.space_id}/members/{guest.name}"))
        for answer in (
            guest.api.patch(url(task, "comments", made["id"]), json={"body": "x"}),
            guest.api.delete(url(task, "comments", made["id"])),
        ):
            assert error_of(answer) == (404, "not_found")
        assert data_of(team.ann.api.get(url(task, "comments"))) == [made]


def test_an_imported_comment_is_its_importers_and_says_who_wrote_it(team: Any, url: Url) -> None:
    task = team.make()
    imported = {"author": team.ben.name, "at": 1000}
    made = comment(team.ann, url, task, f"@{team.kim.name}", imported=imported)
    assert (made["author"], made["imported"], made["mentions"]) == (team.ann.name, imported, [])
    refused = team.kim.api.post(url(task, "comments"), json={"body": "x", "imported": imported})
    assert error_of(refused) == (403, "insufficient_role")


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("body", ["", "  \n", "x" * 10_001, "a\x00b", "a\x1b[2J"])
def test_a_text_that_is_none_is_refused(team: Any, url: Url, body: str) -> None:
    task = team.make()
    assert team.kim.api.post(url(task, "comments"), json={"body": body}).status_code == 400
    assert team.get(task) == task


def test_a_sealed_task_takes_no_comments_and_comments_keep_a_task_readable(team: Any, url: Url) -> None:
    own = data_of(team.ben.api.post("/taskapp/tasks", json={"title": "own", "visibility": "zero-knowledge"}), 201)
    assert error_of(team.ben.api.post(url(own, "comments"), json={"body": "x"})) == (403, "zero_knowledge_body")
    assert data_of(team.ben.api.post(url(own, "checklist"), json={"title": "readable"}), 201)["title"] == "readable"
    open_task = data_of(team.ben.api.post("/taskapp/tasks", json={"title": "own", "body": "b"}), 201)
    made = comment(team.ben, url, open_task)
    refused = team.ben.api.patch(url(open_task), json={"visibility": "zero-knowledge"})
    assert error_of(refused) == (409, "conflict")
    assert data_of(team.ben.api.get(url(open_task)))["body"] == "b"
    data_of(team.ben.api.delete(url(open_task, "comments", made["id"])))
    sealed = data_of(team.ben.api.patch(url(open_task), json={"visibility": "zero-knowledge"}))
    assert sealed["visibility"] == "zero-knowledge"


def test_following_is_chosen_and_choosing_holds(team: Any, url: Url) -> None:
    task = team.make()
    follow = url(task, "follow")
    assert data_of(team.ben.api.get(follow)) == {"id": task["id"], "following": False}
    assert data_of(team.vic.api.post(follow)) == {"id": task["id"], "following": True}
    assert data_of(team.kim.api.delete(follow)) == {"id": task["id"], "following": False}
    comment(team.kim, url, task, f"@{team.ben.name}")
    assert error_of(team.eve.api.post(follow)) == (404, "not_found")
    people = (team.ann, team.ben, team.vic, team.kim)
    assert [data_of(one.api.get(follow))["following"] for one in people] == [True, True, True, False]
    assert error_of(team.eve.api.get(follow)) == (404, "not_found")
    followers = rows(team.server, f"SELECT person, muted FROM task_follower WHERE task_id = '{task['id']}'")
    assert sorted(followers) == sorted([(team.vic.name, 0), (team.kim.name, 1), (team.ben.name, 0)])
    assert team.get(task)["version"] == 2, "following changes nothing of the task"


def test_a_deleted_task_takes_its_comments_along(team: Any, url: Url) -> None:
    task = team.make(assignees=[team.ben.name])
    comment(team.kim, url, task, SECRET)
    data_of(team.ann.api.delete(url(task)))
    for table, column in (("comment", "subject"), ("task_follower", "task_id"), ("task_assignee", "task_id")):
        assert rows(team.server, f"SELECT count(*) FROM {table} WHERE {column} = '{task['id']}'") == [(0,)]
