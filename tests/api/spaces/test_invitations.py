"""Nobody is in a space unasked, and nobody comes back by an invitation from before."""

import httpx2
import pytest

from stowboard.access.spaces.space import MOST_INVITATIONS, MOST_SPACES
from support.api.answers import data_of, error_of, message_of
from support.clients.people import ticket_in
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

JOIN = "/spaces/join"


def ask(manager: SpacePerson, home: str, other: SpacePerson, status: int = 201, role: str = "editor") -> dict[str, str]:
    asked = manager.api.post(f"/spaces/{home}/members", json={"username": other.name, "role": role})
    told: dict[str, str] = data_of(asked, status)
    return told


def inbox(person: SpacePerson) -> list[tuple[str, str, str | None]]:
    return [(told["kind"], told["subject"], told["title"]) for told in data_of(person.api.get("/notifications"))]


def link_to(manager: SpacePerson, home: str, role: str = "manager") -> dict[str, str]:
    body = {"role": role, "uses": 50}
    return {"ticket": ticket_in(data_of(manager.api.post(f"/spaces/{home}/invitations", json=body), 201)["link"])}


def test_a_person_who_is_asked_by_name_counts_for_nothing_until_they_say_yes(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space("Kitchen")
        told = ask(ann, home, ben)
        assert (told["username"], told["role"], told["status"]) == (ben.name, "editor", "invited")
        assert ask(ann, home, ben, status=200)["status"] == "invited"
        assert ben.role_in(home) is None
        assert [space["id"] for space in data_of(ben.api.get("/spaces"))] == [f"~{ben.name}", "spc_library"]
        assert [each["username"] for each in data_of(ann.api.get(f"/spaces/{home}/members"))] == [ann.name]
        assert data_of(ann.api.get(f"/spaces/{home}"))["members"] == 1
        assigned = {"title": "t", "spaceId": home, "assignees": [ben.name]}
        assert ann.api.post("/taskapp/tasks", json=assigned).status_code == 400
        (open_,) = data_of(ann.api.get(f"/spaces/{home}/invitations"))
        assert (open_["username"], open_["usesLeft"]) == (ben.name, 1)
        wait_until(lambda: inbox(ben) == [("shared", home, "Kitchen")])
        assert data_of(ben.api.post(JOIN, json={"spaceId": home}))["role"] == "editor"
        assert ben.role_in(home) == "editor"
        assert {each["status"] for each in data_of(ann.api.get(f"/spaces/{home}/members"))} == {"member"}
        assert data_of(ben.api.post(JOIN, json={"spaceId": home}))["role"] == "editor"
        data_of(ben.api.delete(f"/spaces/{home}/members/{ben.name}"))
        assert ben.role_in(home) is None


def test_a_person_declines_and_a_manager_withdraws(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        for who in (ben, ann):
            ask(ann, home, ben)
            gone = data_of(who.api.delete(f"/spaces/{home}/members/{ben.name}"))
            assert gone == {"id": ben.name, "deleted": True, "ended": {}}
            assert error_of(ben.api.post(JOIN, json={"spaceId": home})) == (404, "not_found")
            assert data_of(ann.api.get(f"/spaces/{home}/invitations")) == []
        wait_until(lambda: {title for _, _, title in inbox(ben)} == {None})
        assert error_of(ben.api.delete(f"/spaces/{home}/members/{ben.name}")) == (404, "not_found")


def test_nobody_accepts_for_another_or_learns_of_a_space_that_did_not_ask_them(server: Server) -> None:
    with people(server, "ann", "ben", "eve") as (ann, ben, eve):
        home = ann.make_space()
        ask(ann, home, ben)
        unknown = eve.api.post(JOIN, json={"spaceId": "spc_0000000000000000000000000"})
        asked = eve.api.post(JOIN, json={"spaceId": home})
        assert asked.status_code == 404
        assert asked.content == unknown.content
        assert error_of(eve.api.delete(f"/spaces/{home}/members/{ben.name}")) == (404, "not_found")
        for body in ({}, {"spaceId": home, "ticket": "stowt_x"}):
            assert error_of(ben.api.post(JOIN, json=body)) == (400, "validation_failed")


def test_what_a_manager_asked_ends_with_their_role(server: Server) -> None:
    with people(server, "ann", "ben", "cid") as (ann, ben, cid):
        home = ann.make_space()
        ann.add(home, ben, "manager")
        ask(ben, home, cid)
        data_of(ann.api.patch(f"/spaces/{home}/members/{ben.name}", json={"role": "editor"}))
        assert error_of(cid.api.post(JOIN, json={"spaceId": home})) == (404, "not_found")


@pytest.mark.parametrize("way", ["removed", "left", "lowered"])
def test_an_invitation_readmits_nobody_whose_membership_ended_or_was_lowered_after_it_was_made(
    server: Server, way: str
) -> None:
    with people(server, "ann", "ben", "cid") as (ann, ben, cid):
        home = ann.make_space()
        before = link_to(ann, home)
        data_of(ben.api.post(JOIN, json=before))
        member = f"/spaces/{home}/members/{ben.name}"
        if way == "lowered":
            data_of(ann.api.patch(member, json={"role": "viewer"}))
            assert data_of(ben.api.post(JOIN, json=before))["role"] == "viewer"
            rows(server, f"DELETE FROM space_member WHERE space_id = '{home}' AND member = '{ben.name}'")
        else:
            data_of((ann if way == "removed" else ben).api.delete(member))
        refused = ben.api.post(JOIN, json=before)
        assert error_of(refused) == (410, "invalid_ticket")
        assert "after this invitation was made" in message_of(refused)
        data_of(cid.api.post(JOIN, json=before))
        assert data_of(ben.api.post(JOIN, json=link_to(ann, home, "viewer")))["role"] == "viewer"


def test_a_used_up_link_leads_its_member_to_the_space(server: Server) -> None:
    with people(server, "ann", "ben", "cid") as (ann, ben, cid):
        home = ann.make_space()
        made = data_of(ann.api.post(f"/spaces/{home}/invitations", json={"role": "viewer"}), 201)
        link = {"ticket": ticket_in(made["link"])}
        assert [data_of(ben.api.post(JOIN, json=link))["id"] for _ in range(2)] == [home, home]
        assert error_of(cid.api.post(JOIN, json=link)) == (410, "invalid_ticket")


def test_a_space_has_a_bounded_number_of_open_invitations(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        made = "id, digest, space_id, role, uses_left, created_by, made_through, created_at, expires_at"
        for number in range(MOST_INVITATIONS):
            values = (
                f"'siv_{home}{number}', '{home}{number}', '{home}', 'viewer', 1, '{ann.name}', '', 1, 9000000000000"
            )
            rows(server, f"INSERT INTO space_invitation ({made}) VALUES ({values})")
        for path, body in (("invitations", {"role": "viewer"}), ("members", {"role": "viewer", "username": ben.name})):
            refused = ann.api.post(f"/spaces/{home}/{path}", json=body)
            assert error_of(refused) == (400, "too_many_items")
            assert "200 open invitations" in message_of(refused)


def test_joining_needs_the_scope_to_manage_spaces(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ask(ann, home, ben)
        token = data_of(ben.api.post("/access/me/tokens", json={"name": "script", "spaces": ["all"]}), 201)["token"]
        headers = {"authorization": f"Bearer {token}"}
        for body in (link_to(ann, home), {"spaceId": home}):
            refused = httpx2.post(f"{server.base_url}{JOIN}", json=body, headers=headers)
            assert error_of(refused) == (403, "insufficient_scope")


def test_who_is_in_as_many_spaces_as_can_be_is_told_in_words(server: Server) -> None:
    with people(server, "ann", "ben") as (ann, ben):
        home = ann.make_space()
        ask(ann, home, ben)
        for number in range(MOST_SPACES):
            name = f"spc_{home[4:-3]}{number:03}"
            columns = "id, name, created_at, updated_at, version"
            rows(server, f"INSERT INTO space ({columns}) VALUES ('{name}', 'Many', 0, 0, 1)")
            values = f"'{name}', '{ben.name}', 'viewer', 0"
            index = f"'{name}', 1, 'active', '', 0, 0"
            rows(server, f"INSERT INTO task_index_state VALUES ({index})")
            rows(server, f"INSERT INTO space_member (space_id, member, role, created_at) VALUES ({values})")
        refused = ben.api.post(JOIN, json={"spaceId": home})
        assert error_of(refused) == (400, "too_many_items")
        assert "at most 200 spaces" in message_of(refused)
        data_of(ben.api.post("/taskapp/task-index/backfill"))
        lists = ["tasks?archived=true&sort=dueAt&", "tasks?q=milk&", "tasks?tags=a&", "tasks?", "boards?"]
        paths = [f"/taskapp/{each}" for each in lists]
        paths += [f"/media/{each}" for each in ("assets?", "videos?", "assets?q=milk&sort=size&")]
        for path in [*paths, "/search?q=milk&", "/events?"]:
            answer = ben.api.get(f"{path}spaceId=all")
            assert answer.status_code == 200, (path, answer.text)
