"""Accounts over the API, for admins; and what a disabled or deleted one can still do: nothing."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from stowboard_client import Client, errors
from support.api.answers import data_of, error_of
from support.clients.credentials import basic, bearer, check_forgotten, statuses
from support.clients.people import PASSWORD, Browser, audit_of, fresh_name, invited, ticket_in
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server


def test_an_admin_makes_an_account_whose_person_chooses_a_password(server: Server, client: Client) -> None:
    name = fresh_name("alice")
    client.tokens.create(name)  # an admin may give a name that owns something
    made = client.accounts.create(name, display_name="Alice", email=f"{name}@example.com")
    assert (made.username, made.display_name, made.role, made.disabled) == (name, "Alice", "member", False)
    assert made.email_confirmed is True
    assert Browser(server.origin).sign_in(name, "").status_code == 401
    answer = Browser(server.origin).post(
        "/session/redeem", json={"ticket": ticket_in(made.link), "password": PASSWORD, "username": "ignored"}
    )
    assert data_of(answer) == {"username": name, "signedIn": False}
    assert Browser(server.origin).sign_in(name).status_code == 200
    assert client.accounts.get(made.id).last_seen_at is not None
    assert made.id in [account.id for account in client.accounts.list()]


def test_one_address_belongs_to_one_account(server: Server, client: Client) -> None:
    first, second = fresh_name("ann"), fresh_name("ben")
    address = f"{first}@example.com"
    client.accounts.create(first, email=address)
    other = client.accounts.create(second)
    headers = server.headers
    browser = invited(server, fresh_name("cy"))
    for answer in (
        httpx2.post(f"{server.base_url}/access/accounts", json={"username": "x", "email": address}, headers=headers),
        httpx2.post(f"{server.base_url}/access/invitations", json={"email": address.upper()}, headers=headers),
        httpx2.patch(f"{server.base_url}/access/accounts/{other.id}", json={"email": address.upper()}, headers=headers),
        browser.patch("/api/v1/access/me", json={"email": address}, headers=browser.bearer()),
    ):
        assert error_of(answer) == (409, "conflict")
        assert "address" in answer.json()["error"]["message"]


def test_only_admins_see_and_change_accounts_and_refusals_are_written_down(server: Server, client: Client) -> None:
    name = fresh_name()
    browser = invited(server, name)
    account = browser.get("/session").json()["data"]["account"]["id"]
    me = httpx2.Client(base_url=server.base_url, headers=browser.bearer())
    for method, path in [
        ("GET", "/access/accounts"), ("GET", f"/access/accounts/{account}"), ("DELETE", f"/access/accounts/{account}"),
        ("POST", f"/access/accounts/{account}/reset-link"), ("GET", "/access/audit"), ("GET", "/access/invitations"),
    ]:  # fmt: skip
        assert error_of(me.request(method, path)) == (403, "admin_required")
        assert error_of(me.request(method, path)) == (403, "admin_required")
    me.close()
    refused = audit_of(server, actor=name, action="admin.use")
    assert {entry["outcome"] for entry in refused} == {"refused"}
    assert len({entry["subject"] for entry in refused}) == len(refused) == 6


def test_roles_are_given_and_taken_and_a_lost_one_holds_at_once(server: Server, client: Client) -> None:
    invited(server, fresh_name("other-admin"), "admin")
    name = fresh_name()
    browser = invited(server, name, "admin")
    admin = browser.bearer(admin=True)
    made = httpx2.post(
        f"{server.base_url}/access/me/tokens", json={"name": "mine", "scopes": ["admin", "tasks:read"]}, headers=admin
    )
    personal = bearer(data_of(made, 201)["token"])
    account = browser.get("/session").json()["data"]["account"]["id"]
    assert httpx2.get(f"{server.base_url}/access/accounts", headers=personal).status_code == 200
    assert client.accounts.update(account, role="member").role == "member"
    for headers in (admin, personal):
        assert error_of(httpx2.get(f"{server.base_url}/access/accounts", headers=headers)) == (403, "admin_required")
        assert httpx2.get(f"{server.base_url}/access/me", headers=headers).status_code == 200
    assert client.accounts.update(account, role="admin").role == "admin"
    assert httpx2.get(f"{server.base_url}/access/accounts", headers=personal).status_code == 200
    assert [entry["data"] for entry in audit_of(server, action="account.role", subject=name)] == [
        {"from": "member", "to": "admin"},
        {"from": "admin", "to": "member"},
    ]


def test_the_role_of_an_account_decides_for_every_token_with_its_name(server: Server, client: Client) -> None:
    invited(server, fresh_name("other-admin"), "admin")
    name = fresh_name()
    account = invited(server, name, "admin").get("/session").json()["data"]["account"]["id"]
    made = client.tokens.create(name, admin=True)  # by an admin, for the name: it belongs to no account
    program = client.clients.create(name, scopes=["admin", "tasks:read"])
    given = httpx2.post(
        f"{server.origin}/oauth/token", data={"grant_type": "client_credentials"}, headers=basic(program)
    ).json()["access_token"]
    client.accounts.update(account, role="member")
    for headers in (bearer(made), bearer(given)):
        again = httpx2.patch(f"{server.base_url}/access/accounts/{account}", json={"role": "admin"}, headers=headers)
        assert error_of(again) == (403, "admin_required")
        assert data_of(httpx2.get(f"{server.base_url}/access/token", headers=headers))["admin"] is False
    for refused in (
        lambda: client.tokens.create(name, admin=True),
        lambda: client.clients.create(name, scopes=["admin"]),
    ):
        with pytest.raises(errors.Conflict, match="not an admin's"):
            refused()
    assert "not an admin's" in server.command("token", "create", "--owner", name, "--admin").stderr
    client.accounts.update(account, role="admin")
    assert httpx2.get(f"{server.base_url}/access/accounts", headers=bearer(made)).status_code == 200


def test_a_disabled_account_and_all_its_tokens_rest_until_it_is_enabled(server: Server, client: Client) -> None:
    name = fresh_name()
    browser = invited(server, name)
    session = browser.bearer()
    made = httpx2.post(f"{server.base_url}/access/me/tokens", json={"name": "mine"}, headers=session)
    tokens = [bearer(data_of(made, 201)["token"]), bearer(client.tokens.create(name))]
    account = browser.get("/session").json()["data"]["account"]["id"]
    assert client.accounts.update(account, disabled=True).disabled is True
    for headers in (session, *tokens):
        assert error_of(httpx2.get(server.base_url, headers=headers)) == (401, "invalid_token")
    assert error_of(browser.get("/session")) == (401, "not_signed_in")
    assert Browser(server.origin).sign_in(name).status_code == 401
    assert client.accounts.update(account, disabled=False).disabled is False
    for headers in tokens:
        assert httpx2.get(server.base_url, headers=headers).status_code == 200
    assert error_of(browser.get("/session")) == (401, "not_signed_in")
    assert Browser(server.origin).sign_in(name).status_code == 200


def test_a_deleted_account_leaves_its_name_and_its_tasks(server: Server, client: Client) -> None:
    name = fresh_name()
    browser = invited(server, name)
    token = client.tokens.create(name)
    with Client(server.origin, token.token) as theirs:
        task = theirs.tasks.create("theirs")
    account = browser.get("/session").json()["data"]["account"]["id"]
    assert client.accounts.delete(account).id == account
    with pytest.raises(errors.NotFound):
        client.accounts.get(account)
    assert httpx2.get(server.base_url, headers=bearer(token)).status_code == 401
    assert Browser(server.origin).sign_in(name).status_code == 401
    with Client(server.origin, client.tokens.create(name).token) as heir:
        assert heir.tasks.get(task.id).title == "theirs"
    with pytest.raises(errors.Conflict):
        client.accounts.create(name)


@pytest.mark.parametrize("account_id", ["nonsense", "acc_01kbr2x4q8e9w6y3t7n5m1c0vz", "tok_01kbr2x4q8e9w6y3t7n5m1c0vz"])
def test_an_account_that_is_not_there_is_not_found(client: Client, account_id: str) -> None:
    for act in (client.accounts.get, client.accounts.delete, client.accounts.reset_link):
        with pytest.raises(errors.NotFound):
            act(account_id)
    with pytest.raises(errors.NotFound):
        client.accounts.update(account_id, disabled=True)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "body",
    [{}, {"username": "A"}, {"username": "a", "role": "root"}, {"username": "a", "email": "x"}, {"username": "a" * 64}],
)
def test_an_account_with_a_wrong_member_is_refused(server: Server, body: dict[str, Any]) -> None:
    answer = httpx2.post(f"{server.base_url}/access/accounts", json=body, headers=server.headers)
    assert error_of(answer) == (400, "validation_failed")


def test_the_last_admin_stays(own_server: Server) -> None:
    invited(own_server, "first", "admin")
    with Client(own_server.origin, own_server.admin_token) as client:
        account = next(iter(client.accounts.list())).id
        for act in (
            lambda: client.accounts.update(account, role="member"),
            lambda: client.accounts.update(account, disabled=True),
            lambda: client.accounts.delete(account),
        ):
            with pytest.raises(errors.Conflict, match="only admin"):
                act()
        invited(own_server, "second", "admin")
        assert client.accounts.update(account, role="member").role == "member"


@pytest.fixture(scope="module")
def two_processes(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    server = make_server(stack() | UNLIMITED, "--workers", "2")
    yield server
    server.kill()


def test_an_ended_session_and_a_disabled_account_are_gone_everywhere_within_a_second(two_processes: Server) -> None:
    server = two_processes
    browser = invited(server, "alice")
    headers = browser.bearer()
    assert statuses(server, headers, 10) == {200}
    browser.delete("/session")
    check_forgotten(server, headers)
    browser.sign_in("alice")
    headers = browser.bearer()
    assert statuses(server, headers, 10) == {200}
    assert server.command("account", "disable", "alice").returncode == 0
    check_forgotten(server, headers)
    assert {browser.get("/session").status_code for _ in range(10)} == {401}


def test_a_process_that_remembers_a_token_makes_nothing_that_outlives_its_account(two_processes: Server) -> None:
    """Many requests, so that some reach the process that did not end the account, before it forgets the token."""
    server = two_processes
    browser = invited(server, "carol")
    headers, account = browser.bearer(), browser.get("/session").json()["data"]["account"]["id"]
    hook = {"url": "https://hooks.example.com/a", "types": ["task.*"]}
    made = data_of(httpx2.post(f"{server.base_url}/webhooks", json=hook, headers=headers), 201)["id"]
    lasting: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/taskapp/calendar", {}),
        ("POST", "/webhooks", hook),
        ("PATCH", f"/webhooks/{made}", {"enabled": True}),
        ("POST", "/access/me/tokens", {"name": "a"}),
    ]
    assert statuses(server, headers, 10) == {200}
    with Client(server.origin, server.admin_token) as admin:
        admin.accounts.update(account, disabled=True)
    with httpx2.Client(limits=httpx2.Limits(max_keepalive_connections=0), base_url=server.base_url) as web:
        answers = [
            web.request(method, path, json=body, headers=headers).status_code
            for method, path, body in lasting
            for _ in range(6)
        ]
    assert set(answers) == {401}


def test_no_secret_is_in_the_audit_log(server: Server, client: Client) -> None:
    name = fresh_name()
    browser = invited(server, name)
    made = client.accounts.create(fresh_name())
    token = client.tokens.create(name)
    secrets = [PASSWORD, ticket_in(made.link), token.token, *browser.cookies.values(), browser.token()]
    text = str(audit_of(server, limit=100))
    assert not [secret for secret in secrets if secret in text]
    assert {"account.create", "token.create", "session.begin"} <= {entry["action"] for entry in audit_of(server)}


def test_the_audit_log_is_filtered_and_walked(server: Server, client: Client) -> None:
    name = fresh_name()
    for _ in range(5):
        Browser(server.origin).sign_in(name)
        client.accounts.invite(role="member")
    entries = list(client.accounts.audit(action="invitation.create", limit=2))
    assert len(entries) >= 5
    assert [entry.id for entry in entries] == sorted({entry.id for entry in entries}, reverse=True)
    middle = entries[2]
    later = list(client.accounts.audit(action="invitation.create", since=middle.created_at))
    assert middle.id in [entry.id for entry in later]
    earlier = list(client.accounts.audit(action="invitation.create", until=middle.created_at))
    assert middle.id not in [entry.id for entry in earlier]
    assert [entry.subject for entry in client.accounts.audit(subject=middle.subject)] == [middle.subject]


def test_deletions_and_bindings_are_written_down(server: Server, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"text")
    task, board = client.tasks.create("gone"), client.boards.create("gone")
    client.tasks.delete(task.id)
    client.boards.delete(board.id)
    client.delivery.bind_namespaces(asset.id, ["blog"])
    client.assets.delete(asset.id)
    video = client.videos.create("gone")
    client.videos.delete(video.id)
    some = [client.uploads.file("a.txt", b"text", space=space).id for space in ("own", "spc_library")]
    client.assets.batch_delete(some)

    def written(subject: str) -> list[tuple[str, str]]:
        return [(entry["action"], entry["data"]["spaceId"]) for entry in audit_of(server, subject=subject)]

    assert written(task.id) == [("task.delete", task.space_id)]
    assert written(board.id) == [("board.delete", board.space_id)]
    assert written(asset.id) == [("asset.delete", "spc_library"), ("asset.bind", "spc_library")]
    assert written(video.id) == [("video.delete", "spc_library")]
    batch = {entry["data"]["spaceId"]: entry["data"]["ids"] for entry in audit_of(server, subject="several", limit=2)}
    assert batch == {task.space_id: some[:1], "spc_library": some[1:]}
