"""Spaces and who is in them."""

from collections.abc import Iterator

import httpx2
import pytest

from support.api.answers import data_of, error_of
from support.clients.people import audit_of, ticket_in
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server
from support.stored.rows import rows
from support.waiting import wait_until

NEVER = "spc_01kbr2x4q8e9w6y3t7n5m1c0vz"


@pytest.fixture
def trio(server: Server) -> Iterator[list[SpacePerson]]:
    with people(server, "alice", "bob", "carol") as made:
        yield made


def test_whoever_makes_a_space_is_its_manager_and_strangers_do_not_find_it(trio: list[SpacePerson]) -> None:
    alice, bob, _ = trio
    made = data_of(alice.api.post("/spaces", json={"name": "Home"}), 201)
    assert (made["name"], made["kind"], made["role"], made["members"]) == ("Home", "shared", "manager", 1)
    assert data_of(alice.api.get(f"/spaces/{made['id']}")) == made
    ids = [space["id"] for space in data_of(alice.api.get("/spaces"))]
    assert ids[:2] == [f"~{alice.name}", "spc_library"]
    assert made["id"] in ids
    missing = bob.api.get(f"/spaces/{made['id']}")
    assert missing.content == bob.api.get(f"/spaces/{NEVER}").content
    assert error_of(missing) == (404, "not_found")
    assert [space["id"] for space in data_of(bob.api.get("/spaces"))] == [f"~{bob.name}", "spc_library"]


def test_the_list_of_spaces_comes_in_pages(trio: list[SpacePerson]) -> None:
    carol = trio[2]
    made = [carol.make_space(name) for name in ("one", "two", "three")]
    found: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(9):
        page = carol.api.get("/spaces", params={"limit": 2, **cursor}).json()
        found += [space["id"] for space in page["data"]]
        if not page["meta"]["hasMore"]:
            break
        cursor = {"cursor": page["meta"]["nextCursor"]}
    assert found == [f"~{carol.name}", "spc_library", *made]


def test_a_member_has_a_role_and_each_role_what_it_may(trio: list[SpacePerson]) -> None:
    alice, bob, carol = trio
    home = alice.make_space()
    alice.add(home, bob, "viewer")
    assert bob.role_in(home) == "viewer"
    members = data_of(bob.api.get(f"/spaces/{home}/members"))
    assert {each["username"]: each["role"] for each in members} == {alice.name: "manager", bob.name: "viewer"}
    assert all("email" not in each for each in members)
    for refused in (
        bob.api.patch(f"/spaces/{home}", json={"name": "Mine"}),
        bob.api.post(f"/spaces/{home}/members", json={"username": carol.name, "role": "viewer"}),
        bob.api.patch(f"/spaces/{home}/members/{bob.name}", json={"role": "manager"}),
        bob.api.delete(f"/spaces/{home}/members/{alice.name}"),
        bob.api.get(f"/spaces/{home}/invitations"),
        bob.api.post(f"/spaces/{home}/trash"),
    ):
        assert error_of(refused) == (403, "insufficient_role")
        assert "manager" in refused.json()["error"]["message"]
    assert data_of(alice.api.patch(f"/spaces/{home}/members/{bob.name}", json={"role": "manager"}))["role"] == "manager"
    assert data_of(bob.api.patch(f"/spaces/{home}", json={"name": "Ours"}))["name"] == "Ours"


def test_a_member_is_added_once_and_only_if_there_is_an_account(trio: list[SpacePerson]) -> None:
    alice, bob, _ = trio
    home = alice.make_space()
    alice.add(home, bob)
    twice = alice.api.post(f"/spaces/{home}/members", json={"username": bob.name, "role": "viewer"})
    assert error_of(twice) == (409, "conflict")
    nobody = alice.api.post(f"/spaces/{home}/members", json={"username": "nobody-at-all", "role": "viewer"})
    assert error_of(nobody) == (404, "not_found")
    assert bob.role_in(home) == "editor"


def test_the_last_manager_stays_and_is_told_who_could_become_one(trio: list[SpacePerson]) -> None:
    alice, bob, _ = trio
    home = alice.make_space()
    alone = alice.api.delete(f"/spaces/{home}/members/{alice.name}")
    assert error_of(alone) == (409, "conflict")
    alice.add(home, bob)
    for refused in (
        alice.api.delete(f"/spaces/{home}/members/{alice.name}"),
        alice.api.patch(f"/spaces/{home}/members/{alice.name}", json={"role": "editor"}),
    ):
        assert error_of(refused) == (409, "conflict")
        assert bob.name in refused.json()["error"]["message"]
    alice.api.patch(f"/spaces/{home}/members/{bob.name}", json={"role": "manager"})
    assert alice.api.delete(f"/spaces/{home}/members/{alice.name}").status_code == 200
    assert (alice.role_in(home), bob.role_in(home)) == (None, "manager")


def test_anybody_leaves_by_themselves(trio: list[SpacePerson]) -> None:
    alice, bob, _ = trio
    home = alice.make_space()
    alice.add(home, bob, "viewer")
    assert bob.api.delete(f"/spaces/{home}/members/{bob.name}").status_code == 200
    assert bob.role_in(home) is None
    assert error_of(bob.api.get(f"/spaces/{home}/members")) == (404, "not_found")


def test_an_invitation_lets_some_join_and_never_lowers_a_role(trio: list[SpacePerson], server: Server) -> None:
    alice, bob, carol = trio
    home = alice.make_space()
    body = {"role": "viewer", "uses": 1}
    invitation = data_of(alice.api.post(f"/spaces/{home}/invitations", json=body), 201)
    ticket = ticket_in(invitation["link"])
    assert ticket not in alice.api.get(f"/spaces/{home}/invitations").text
    again = data_of(alice.api.post("/spaces/join", json={"ticket": ticket}))
    assert (again["id"], again["role"]) == (home, "manager")
    joined = data_of(bob.api.post("/spaces/join", json={"ticket": ticket}))
    assert (joined["id"], joined["role"], joined["members"]) == (home, "viewer", 2)
    assert error_of(carol.api.post("/spaces/join", json={"ticket": ticket})) == (410, "invalid_ticket")
    assert carol.role_in(home) is None
    withdrawn = data_of(alice.api.post(f"/spaces/{home}/invitations", json=body), 201)
    assert alice.api.delete(f"/spaces/{home}/invitations/{withdrawn['id']}").status_code == 200
    gone = carol.api.post("/spaces/join", json={"ticket": ticket_in(withdrawn["link"])})
    assert error_of(gone) == (410, "invalid_ticket")
    assert [entry["action"] for entry in audit_of(server, subject=home)][:3] == [
        "invitation.delete", "invitation.create", "member.join",
    ]  # fmt: skip


def test_a_removed_managers_invitations_and_tokens_end_with_them(trio: list[SpacePerson], server: Server) -> None:
    alice, bob, carol = trio
    home = alice.make_space()
    alice.add(home, bob, "manager")
    ticket = ticket_in(data_of(bob.api.post(f"/spaces/{home}/invitations", json={"role": "editor"}), 201)["link"])
    made = bob.api.post(f"/spaces/{home}/tokens", json={"name": "fridge", "scopes": ["tasks:read"]})
    token = {"authorization": f"Bearer {data_of(made, 201)['token']}"}
    with httpx2.Client(base_url=server.base_url, headers=token) as fridge:
        assert [(space["id"], space["role"]) for space in data_of(fridge.get("/spaces"))] == [(home, "editor")]
        assert alice.api.delete(f"/spaces/{home}/members/{bob.name}").status_code == 200
        assert error_of(fridge.get("/spaces")) == (401, "invalid_token")
    assert error_of(carol.api.post("/spaces/join", json={"ticket": ticket})) == (410, "invalid_ticket")


def test_a_space_in_the_trash_is_gone_for_all_but_its_managers(trio: list[SpacePerson]) -> None:
    alice, bob, _ = trio
    home = alice.make_space()
    alice.add(home, bob)
    assert error_of(alice.api.delete(f"/spaces/{home}")) == (409, "conflict")
    assert data_of(alice.api.post(f"/spaces/{home}/trash"))["trashedAt"] is not None
    assert (alice.role_in(home), bob.role_in(home)) == ("manager", None)
    trashed = [space["id"] for space in data_of(alice.api.get("/spaces")) if space["trashedAt"]]
    assert trashed == [home]
    assert home not in bob.api.get("/spaces").text
    assert error_of(bob.api.post(f"/spaces/{home}/restore")) == (404, "not_found")
    assert data_of(alice.api.post(f"/spaces/{home}/restore"))["trashedAt"] is None
    assert (alice.role_in(home), bob.role_in(home)) == ("manager", "editor")
    alice.api.post(f"/spaces/{home}/trash")
    assert data_of(alice.api.delete(f"/spaces/{home}")) == {"id": home, "deleted": True}
    assert error_of(alice.api.post(f"/spaces/{home}/restore")) == (404, "not_found")


def test_a_deleted_space_takes_all_that_was_in_it_along(trio: list[SpacePerson], server: Server) -> None:
    alice = trio[0]
    home = alice.make_space()
    board = data_of(alice.api.post("/taskapp/boards", json={"name": "b", "spaceId": home}), 201)["id"]
    data_of(alice.api.post("/taskapp/tasks", json={"title": "t", "boardId": board}), 201)
    data_of(alice.api.post("/media/upload/file", json={"filename": "a.txt", "data": "aGk=", "spaceId": home}), 201)
    hook = {"url": "https://hooks.example.com/x", "types": ["task.*"], "spaceId": home}
    data_of(alice.api.post("/webhooks", json=hook), 201)
    alice.api.post(f"/spaces/{home}/trash")
    data_of(alice.api.delete(f"/spaces/{home}"))
    owned = {"task": "owner", "board": "owner", "asset": "space", "webhook": "owner"}
    counts = " + ".join(f"(SELECT count(*) FROM {name} WHERE {column} = '{home}')" for name, column in owned.items())
    wait_until(lambda: rows(server, f"SELECT {counts}") == [(0,)])


def test_the_library_and_ones_own_space_stay_as_they_are(trio: list[SpacePerson], server: Server) -> None:
    alice = trio[0]
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as admin:
        assert error_of(admin.post("/spaces/spc_library/trash")) == (409, "conflict")
        assert error_of(admin.delete("/spaces/spc_library")) == (409, "conflict")
        body = {"username": alice.name, "role": "viewer"}
        assert error_of(admin.post("/spaces/spc_library/members", json=body)) == (409, "conflict")
    assert error_of(alice.api.patch("/spaces/spc_library", json={"name": "Mine"})) == (403, "insufficient_role")
    own = f"/spaces/~{alice.name}"
    assert data_of(alice.api.get(own))["kind"] == "personal"
    assert error_of(alice.api.delete(own)) == (409, "conflict")
    assert error_of(alice.api.patch(own, json={"name": "x"})) == (409, "conflict")


def test_only_an_admin_opens_a_space_to_everybody(trio: list[SpacePerson], server: Server) -> None:
    alice, bob, _ = trio
    home = alice.make_space()
    assert error_of(alice.api.patch(f"/spaces/{home}", json={"everyone": "viewer"})) == (403, "admin_required")
    assert bob.role_in(home) is None


def test_a_token_reaches_what_it_was_given_and_makes_none_that_reaches_more(
    trio: list[SpacePerson], server: Server
) -> None:
    alice = trio[0]
    home, other = alice.make_space(), alice.make_space("Other")
    made = data_of(alice.api.post("/access/me/tokens", json={"name": "script", "spaces": [home]}), 201)
    assert made["spaces"] == [home]
    with httpx2.Client(base_url=server.base_url, headers={"authorization": f"Bearer {made['token']}"}) as script:
        assert [space["id"] for space in data_of(script.get("/spaces"))] == [home]
        assert error_of(script.get(f"/spaces/{other}")) == (404, "not_found")
    usual = data_of(alice.api.post("/access/me/tokens", json={"name": "usual"}), 201)
    assert usual["spaces"] == ["own", "spc_library"]
    with httpx2.Client(base_url=server.base_url, headers={"authorization": f"Bearer {usual['token']}"}) as script:
        assert error_of(script.get(f"/spaces/{home}")) == (404, "not_found")
    unknown = alice.api.post("/access/me/tokens", json={"name": "x", "spaces": [NEVER]})
    assert error_of(unknown) == (404, "not_found")


@pytest.mark.parametrize("owner", ["spc_1", "spc_library"])
def test_nobody_is_named_like_a_space(owner: str, server: Server) -> None:
    with httpx2.Client(base_url=server.base_url, headers=server.headers) as admin:
        assert error_of(admin.post("/access/tokens", json={"owner": owner})) == (400, "validation_failed")
        invitation = admin.post("/access/invitations", json={"username": owner})
        assert error_of(invitation) == (400, "validation_failed")


def test_when_an_account_is_deleted_the_next_member_becomes_manager(server: Server) -> None:
    with (
        people(server, "alice", "bob", "carol") as (alice, bob, carol),
        httpx2.Client(base_url=server.base_url, headers=server.headers) as admin,
    ):
        home, empty = alice.make_space(), alice.make_space("Empty")
        alice.add(home, carol, "viewer")
        alice.add(home, bob, "editor")
        account = data_of(alice.api.get("/access/me"))["id"]
        data_of(admin.delete(f"/access/accounts/{account}"))
        assert (bob.role_in(home), carol.role_in(home)) == ("manager", "viewer")
        spaces = {space["id"]: space for space in data_of(admin.get("/access/spaces"))}
        assert spaces[empty]["trashedAt"] is not None
        assert (spaces[empty]["members"], spaces[empty]["orphaned"]) == (0, True)


def test_an_admin_gives_an_orphaned_space_a_manager_and_no_other(server: Server) -> None:
    with (
        people(server, "alice", "bob") as (alice, bob),
        httpx2.Client(base_url=server.base_url, headers=server.headers) as admin,
    ):
        home = alice.make_space()
        adopt = f"/access/spaces/{home}/manager"
        assert error_of(admin.post(adopt, json={"username": bob.name})) == (409, "conflict")
        account = data_of(alice.api.get("/access/me"))["id"]
        data_of(admin.patch(f"/access/accounts/{account}", json={"disabled": True}))
        assert data_of(admin.post(adopt, json={"username": bob.name}))["role"] == "manager"
        assert bob.role_in(home) == "manager"
