"""A space in the trash, a space that is deleted, a manager who is one no more: what each of them ends."""

from collections.abc import Iterator

import httpx2
import pytest

from support.api.answers import data_of, error_of, message_of
from support.clients.people import ticket_in
from support.clients.space_people import SpacePerson, people
from support.clients.tus import TusUpload, begin_patch, wait_until_durable
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

TASKS = "/taskapp/tasks"
TASK_SCOPES = ["tasks:read", "tasks:write"]


@pytest.fixture
def pair(server: Server) -> Iterator[tuple[SpacePerson, SpacePerson, str]]:
    """Two managers of a space."""
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ann.add(home, ben, "manager")
        yield ann, ben, home


def client_of(server: Server, token: str) -> httpx2.Client:
    return httpx2.Client(base_url=server.base_url, headers={"authorization": f"Bearer {token}"})


def space_token(server: Server, manager: SpacePerson, home: str) -> httpx2.Client:
    made = manager.api.post(f"/spaces/{home}/tokens", json={"name": "fridge", "scopes": TASK_SCOPES})
    return client_of(server, data_of(made, 201)["token"])


def delete(manager: SpacePerson, home: str) -> None:
    data_of(manager.api.post(f"/spaces/{home}/trash"))
    data_of(manager.api.delete(f"/spaces/{home}"))


def test_a_deleted_space_leaves_no_calendar_and_no_token(
    pair: tuple[SpacePerson, SpacePerson, str], server: Server
) -> None:
    ann, ben, home = pair
    data_of(ben.api.post("/taskapp/calendar", json={"spaceId": home}), 201)
    with space_token(server, ann, home) as fridge:
        assert data_of(fridge.get(TASKS)) == []
        delete(ann, home)
        wait_until(lambda: fridge.get(TASKS).status_code == 401)
        assert error_of(fridge.post(TASKS, json={"title": "t"})) == (401, "invalid_token")
    wait_until(lambda: rows(server, f"SELECT owner FROM calendar WHERE space = '{home}'") == [])
    wait_until(lambda: rows(server, f"SELECT owner FROM task_index_state WHERE owner = '{home}'") == [])
    assert rows(server, f"SELECT id FROM access_token WHERE owner = '{home}' AND revoked_at IS NULL") == []


def test_the_trash_is_listed_by_tokens_alone_that_were_given_the_space(
    pair: tuple[SpacePerson, SpacePerson, str], server: Server
) -> None:
    ann, _, home = pair
    tokens = {}
    for words in (["own", "spc_library"], ["own", home]):
        body = {"name": "script", "spaces": words, "scopes": ["tasks:read"]}
        tokens[words[1]] = data_of(ann.api.post("/access/me/tokens", json=body), 201)["token"]
    data_of(ann.api.post(f"/spaces/{home}/trash"))
    with client_of(server, tokens["spc_library"]) as narrow, client_of(server, tokens[home]) as given:
        assert home not in narrow.get("/spaces").text
        assert home in given.get("/spaces").text


def test_who_is_no_longer_a_manager_has_no_token_and_no_invitation_of_the_space(
    pair: tuple[SpacePerson, SpacePerson, str], server: Server
) -> None:
    ann, ben, home = pair
    invitation = data_of(ben.api.post(f"/spaces/{home}/invitations", json={"role": "manager"}), 201)
    with space_token(server, ben, home) as fridge, space_token(server, ann, home) as other:
        data_of(ann.api.patch(f"/spaces/{home}/members/{ben.name}", json={"role": "viewer"}))
        wait_until(lambda: fridge.get(TASKS).status_code == 401)
        assert data_of(other.get(TASKS)) == []
    joined = ann.api.post("/spaces/join", json={"ticket": ticket_in(invitation["link"])})
    assert error_of(joined) == (410, "invalid_ticket")


def test_an_upload_under_way_ends_when_its_maker_may_only_look(
    pair: tuple[SpacePerson, SpacePerson, str], server: Server, web: httpx2.Client
) -> None:
    """The bytes that came before stay as they are; nothing is added, and the next request is refused."""
    ann, ben, home = pair
    video = data_of(ben.api.post("/media/videos/upload", json={"title": "t", "size": 200, "spaceId": home}), 201)
    upload = TusUpload(web, video["tusUploadUrl"], video["id"])
    under_way = begin_patch(server.port, upload, 0, 200)
    under_way.send(b"x" * 100)
    wait_until_durable(server, upload, 100)
    data_of(ann.api.patch(f"/spaces/{home}/members/{ben.name}", json={"role": "viewer"}))
    under_way.send(b"x" * 100)
    assert under_way.answer().status == 410
    assert rows(server, f"SELECT received, state FROM upload WHERE subject = '{video['id']}'") == [(100, "open")]
    assert upload.head().status_code == upload.patch(100, b"x" * 100).status_code == 404
    under_way.close()


def test_a_token_whose_only_space_was_left_is_told_so_by_every_list(
    pair: tuple[SpacePerson, SpacePerson, str], server: Server
) -> None:
    ann, ben, home = pair
    scopes = [*TASK_SCOPES, "media:read", "media:write"]
    body = {"name": "script", "spaces": [home], "scopes": scopes}
    made = data_of(ben.api.post("/access/me/tokens", json=body), 201)
    data_of(ann.api.delete(f"/spaces/{home}/members/{ben.name}"))
    lists = [TASKS, "/taskapp/boards", "/taskapp/tags", "/media/assets", "/media/videos", "/media/tags", "/media/stats"]
    lists += [
        f"{path}?spaceId=all" for path in (TASKS, "/taskapp/boards", "/media/assets", "/media/videos", "/changes")
    ]
    lists += ["/search?q=x", "/search?q=x&spaceId=all", f"/events?spaceId={home}", f"{TASKS}?spaceId=all&q=x"]
    with client_of(server, made["token"]) as script:
        assert {path: script.get(path).status_code for path in lists} == dict.fromkeys(lists, 404)
        assert data_of(script.get("/spaces")) == data_of(script.get("/events")) == []
        for path, what in ((TASKS, {"title": "t"}), ("/media/upload/file", {"filename": "a.txt", "data": "aGk="})):
            assert error_of(script.post(path, json=what)) == (404, "not_found")


def test_ones_own_space_may_be_named_by_its_id_in_a_token(
    pair: tuple[SpacePerson, SpacePerson, str], server: Server
) -> None:
    ann = pair[0]
    made = data_of(ann.api.post("/access/me/tokens", json={"name": "script", "spaces": [f"~{ann.name}"]}), 201)
    assert made["spaces"] == ["own"]
    with client_of(server, made["token"]) as script:
        assert [space["id"] for space in data_of(script.get("/spaces"))] == [f"~{ann.name}"]
        assert data_of(script.post(TASKS, json={"title": "t"}), 201)["spaceId"] == f"~{ann.name}"


def test_a_manager_reads_a_trashed_space_by_its_id_and_trashes_it_again(
    pair: tuple[SpacePerson, SpacePerson, str],
) -> None:
    ann, ben, home = pair
    data_of(ann.api.patch(f"/spaces/{home}/members/{ben.name}", json={"role": "editor"}))
    trashed = data_of(ann.api.post(f"/spaces/{home}/trash"))
    assert data_of(ann.api.get(f"/spaces/{home}")) | {"ended": {}} == trashed
    assert data_of(ann.api.post(f"/spaces/{home}/trash")) == trashed
    assert error_of(ben.api.get(f"/spaces/{home}")) == error_of(ben.api.post(f"/spaces/{home}/trash"))
    assert error_of(ben.api.get(f"/spaces/{home}")) == (404, "not_found")


def test_ones_own_space_refuses_in_words_what_it_does_not_allow(pair: tuple[SpacePerson, SpacePerson, str]) -> None:
    ann, ben, _ = pair
    for own in ("own", f"~{ann.name}"):
        refused = [
            ann.api.patch(f"/spaces/{own}", json={"name": "n"}),
            ann.api.post(f"/spaces/{own}/trash"),
            ann.api.post(f"/spaces/{own}/restore"),
            ann.api.get(f"/spaces/{own}/members"),
            ann.api.post(f"/spaces/{own}/members", json={"username": ben.name, "role": "viewer"}),
            ann.api.post(f"/spaces/{own}/invitations", json={"role": "viewer"}),
            ann.api.post(f"/spaces/{own}/tokens", json={"name": "t"}),
        ]
        assert {error_of(answer) for answer in refused} == {(409, "conflict")}
        assert all("Your own space" in message_of(answer) for answer in refused)
