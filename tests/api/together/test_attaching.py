"""Attachments one by one: `/taskapp/tasks/{id}/attachments`."""

from collections.abc import Callable
from typing import Any

from support.api.answers import data_of, error_of, message_of
from support.clients.space_people import SpacePerson

Url = Callable[..., str]
NO_ASSET = "ast_01hf7yat000000000000000000"


def upload(person: SpacePerson, space_id: str, name: str = "a") -> Any:
    body = {"filename": f"{name}.txt", "data": "aGVsbG8=", "spaceId": space_id}
    return data_of(person.api.post("/media/upload/file", json=body), 201)["id"]


def attached(team: Any, url: Url, task: Any) -> list[str]:
    return [each["id"] for each in data_of(team.vic.api.get(url(task, "attachments")))]


def test_files_and_videos_are_attached_behind_the_others_and_taken_off(team: Any, url: Url) -> None:
    plan, common = upload(team.ann, team.space_id), upload(team.ann, "spc_library")
    video = data_of(team.ann.api.post("/media/videos/upload", json={"title": "v", "spaceId": team.space_id}), 201)["id"]
    task = team.make(attachments=[plan])
    for number, each in enumerate((common, video), 2):
        answer = team.ben.api.post(url(task, "attachments"), json={"id": each})
        assert data_of(answer, 201) == {"id": each, "deleted": False}
        assert answer.headers["etag"] == f'"{number}"'
    assert attached(team, url, task) == [plan, common, video]
    listed = team.vic.api.get(url(task, "attachments"))
    assert listed.headers["etag"] == '"3"'
    unchanged = team.vic.api.get(url(task, "attachments"), headers={"if-none-match": listed.headers["etag"]})
    assert unchanged.status_code == 304
    assert data_of(team.ben.api.delete(url(task, "attachments", common))) == {"id": common, "deleted": True}
    assert attached(team, url, task) == [plan, video]
    data_of(team.ann.api.get(f"/media/assets/{common}"))
    assert '"changed":["attachments"]' in team.events(task, "task.updated")[-1]
    assert team.get(task)["version"] == 4


def test_twice_the_same_changes_nothing_and_one_that_is_not_attached_is_not_found(team: Any, url: Url) -> None:
    first, second = (upload(team.ann, team.space_id, name) for name in "ab")
    task = team.make(attachments=[first, second])
    again = team.ben.api.post(url(task, "attachments"), json={"id": first})
    assert data_of(again, 201)["id"] == first
    assert again.headers["etag"] == '"1"'
    assert attached(team, url, task) == [first, second]
    data_of(team.ben.api.delete(url(task, "attachments", first)))
    for gone in (first, NO_ASSET, "x"):
        assert error_of(team.ben.api.delete(url(task, "attachments", gone))) == (404, "not_found")
    assert team.get(task)["version"] == 2


def test_what_is_unknown_unseen_in_the_trash_or_of_another_space_is_not_attached(team: Any, url: Url) -> None:
    own, foreign, trashed = upload(team.ben, "own"), upload(team.eve, "own"), upload(team.ann, team.space_id)
    data_of(team.ann.api.post(f"/media/assets/{trashed}/trash"))
    task = team.make()
    for wrong in (NO_ASSET, foreign, task["id"], "x"):
        answer = team.ben.api.post(url(task, "attachments"), json={"id": wrong})
        assert error_of(answer) == (400, "validation_failed")
        assert f"there is no asset or video {wrong}" in message_of(answer)
    in_trash = team.ben.api.post(url(task, "attachments"), json={"id": trashed})
    assert error_of(in_trash) == (409, "conflict")
    assert "Restore it first" in message_of(in_trash)
    elsewhere = team.ben.api.post(url(task, "attachments"), json={"id": own})
    assert error_of(elsewhere) == (400, "validation_failed")
    assert "Copy it there first" in message_of(elsewhere)
    for body in ({}, {"id": None}, {"id": [own]}):
        assert error_of(team.ben.api.post(url(task, "attachments"), json=body)) == (400, "validation_failed")
    assert team.get(task) == task


def test_a_task_has_at_most_fifty(team: Any, url: Url) -> None:
    files = [upload(team.ann, team.space_id, f"f{number}") for number in range(51)]
    task = team.make(attachments=files[:50])
    answer = team.ben.api.post(url(task, "attachments"), json={"id": files[50]})
    assert error_of(answer) == (400, "too_many_items")
    assert attached(team, url, task) == files[:50]


def test_an_older_version_is_refused_and_changes_nothing(team: Any, url: Url) -> None:
    first, second = (upload(team.ann, team.space_id, name) for name in "ab")
    task = team.make(attachments=[first])
    data_of(team.ann.api.patch(url(task), json={"title": "u"}))
    stale, now = {"if-match": '"1"'}, {"if-match": '"2"'}
    wanted = {"id": second}
    assert error_of(team.ben.api.post(url(task, "attachments"), json=wanted, headers=stale))[0] == 412
    assert error_of(team.ben.api.delete(url(task, "attachments", first), headers=stale))[0] == 412
    assert attached(team, url, task) == [first]
    data_of(team.ben.api.post(url(task, "attachments"), json=wanted, headers=now), 201)
    data_of(team.ben.api.delete(url(task, "attachments", first), headers={"if-match": '"3"'}))
    assert attached(team, url, task) == [second]


def test_viewers_and_commenters_only_look_and_others_see_nothing(team: Any, url: Url) -> None:
    first, second = (upload(team.ann, team.space_id, name) for name in "ab")
    task = team.make(attachments=[first])
    for person in (team.vic, team.kim):
        added = person.api.post(url(task, "attachments"), json={"id": second})
        assert error_of(added) == (403, "insufficient_role")
        assert error_of(person.api.delete(url(task, "attachments", first))) == (403, "insufficient_role")
        assert [each["id"] for each in data_of(person.api.get(url(task, "attachments")))] == [first]
    assert error_of(team.eve.api.get(url(task, "attachments"))) == (404, "not_found")
    assert error_of(team.eve.api.post(url(task, "attachments"), json={"id": second})) == (404, "not_found")
    assert error_of(team.eve.api.delete(url(task, "attachments", first))) == (404, "not_found")
    assert team.get(task) == task


def test_a_task_in_the_trash_keeps_its_attachments_until_it_is_restored(team: Any, url: Url) -> None:
    first, second = (upload(team.ann, team.space_id, name) for name in "ab")
    task = team.make(attachments=[first])
    data_of(team.ann.api.post(url(task, "trash")))
    added = team.ben.api.post(url(task, "attachments"), json={"id": second})
    assert error_of(added) == (409, "conflict")
    assert "restore" in message_of(added).lower()
    assert error_of(team.ben.api.delete(url(task, "attachments", first))) == (409, "conflict")
    assert attached(team, url, task) == [first]
    data_of(team.ann.api.post(url(task, "restore")))
    data_of(team.ben.api.post(url(task, "attachments"), json={"id": second}), 201)
    assert attached(team, url, task) == [first, second]
