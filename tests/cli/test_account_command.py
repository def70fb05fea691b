"""`stowboard account` and `stowboard audit`: before the first start, and beside a running server."""

import json
import re
import subprocess
from pathlib import Path

import httpx2
import pytest

from support.clients.authenticator import Authenticator
from support.clients.passkeys import register
from support.clients.people import PASSWORD, Browser, fresh_name, ticket_in
from support.servers.command import sentence, stowboard
from support.servers.forked import launch
from support.servers.stowboard import COMMAND_SECONDS, PROGRAM, Server, clean_environment


def create(folder: Path, password: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, "account", "create", *words, "--password-stdin"], cwd=folder, env=clean_environment(),
        input=password + "\n", capture_output=True, text=True, timeout=COMMAND_SECONDS,
    )  # fmt: skip


def test_an_account_made_before_the_first_start_signs_in_after_it(tmp_path: Path) -> None:
    done = create(tmp_path, PASSWORD, "--username", "Alice", "--admin")
    assert (done.returncode, done.stdout) == (0, "alice (admin) is made.\n")
    server = Server(tmp_path, {}, launch=launch)
    server.start()
    try:
        assert Browser(server.origin).sign_in("alice").status_code == 200
    finally:
        server.kill()


def test_the_first_start_prints_a_link_that_makes_the_first_account_once(tmp_path: Path) -> None:
    server = Server(tmp_path, {"STOWBOARD_BOOTSTRAP_TOKEN": ""}, launch=launch)
    server.start()
    try:
        (link,) = re.findall(rf"http://localhost:{server.port}/setup#ticket=\w+", server.log())
        body = {"ticket": ticket_in(link), "username": "admin", "password": PASSWORD}
        origin = link.partition("/setup")[0]
        with Browser(origin) as browser:
            state = browser.post("/session/redeem", json=body, headers={"origin": origin}).json()
            assert state["data"]["account"]["role"] == "admin"
            assert register(browser, Authenticator(origin)).status_code == 201, "passkeys work at the printed address"
        body["username"] = "second"
        assert Browser(server.origin).post("/session/redeem", json=body).status_code == 410
        server.kill()
        server.start()
        assert server.log().count("/setup#ticket=") == 1
    finally:
        server.kill()


def test_the_set_up_link_is_gone_with_the_first_account_however_it_was_made(tmp_path: Path) -> None:
    server = Server(tmp_path, {"STOWBOARD_BOOTSTRAP_TOKEN": ""}, launch=launch)
    server.start()
    try:
        (link,) = re.findall(rf"http://localhost:{server.port}/setup#ticket=\w+", server.log())
        assert server.command("account", "create", "--username", "alice").returncode == 0
        body = {"ticket": ticket_in(link), "username": "mallory", "password": PASSWORD}
        assert Browser(server.origin).post("/session/redeem", json=body).status_code == 410
    finally:
        server.kill()


def test_people_are_invited_changed_listed_and_deleted(server: Server) -> None:
    name = fresh_name("bob")
    other = server.command("account", "create", "--username", fresh_name("other"), "--admin")
    assert "reset-link" in other.stdout
    link = server.command("account", "invite", "--username", name, "--email", "bob@example.com").stdout.splitlines()[-1]
    browser = Browser(server.origin)
    redeemed = browser.post("/session/redeem", json={"ticket": ticket_in(link), "password": PASSWORD})
    assert redeemed.status_code == 200

    def line() -> str:
        (found,) = [each for each in server.command("account", "list").stdout.splitlines() if name in each]
        return found

    assert re.fullmatch(rf"{name}  member  enabled  seen 20.* UTC  bob@example.com", line())
    assert server.command("account", "role", name, "admin").stdout == f"{name} is an admin now.\n"
    assert "  admin  " in line()
    assert server.command("account", "disable", name).returncode == 0
    assert "  disabled  " in line()
    assert browser.get("/session").status_code == 401
    assert server.command("account", "enable", name).returncode == 0
    assert browser.sign_in(name).status_code == 200
    reset = server.command("account", "reset-link", name).stdout.splitlines()[-1]
    body = {"ticket": ticket_in(reset), "password": "another four wooden words"}
    assert browser.post("/session/redeem", json=body).status_code == 200
    assert server.command("account", "delete", name).returncode == 0
    assert name not in server.command("account", "list").stdout
    assert "taken, or has been" in sentence(server.command("account", "invite", "--username", name))


def test_what_was_done_is_shown_oldest_first(server: Server) -> None:
    name = fresh_name("carol")
    server.command("account", "create", "--username", name)
    server.command("account", "disable", name)
    shown = server.command("audit", "--subject", name).stdout.splitlines()
    assert [re.split(r"  +", line)[1:4] for line in shown] == [
        ["command line", "account.create", name],
        ["command line", "account.disable", name],
    ]
    entries = [json.loads(line) for line in server.command("audit", "--subject", name, "--json").stdout.splitlines()]
    assert [entry["action"] for entry in entries] == ["account.create", "account.disable"]
    answer = httpx2.get(f"{server.base_url}/access/audit", params={"subject": name}, headers=server.headers)
    assert [entry["actor"] for entry in answer.json()["data"]] == ["command line"] * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("role", "nobody", "admin"), "no account of this name"),
        (("role", "nobody", "king"), "invalid choice: 'king' (choose from"),
        (("disable", "nobody"), "no account of this name"),
        (("reset-link", "nobody"), "no account of this name"),
        (("delete", "nobody"), "no account of this name"),
        (("create", "--username", "not a name"), "username: expected"),
        (("invite", "--email", "nonsense"), "email: expected"),
    ],
)
def test_what_cannot_be_done_is_answered_with_a_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    assert stowboard(tmp_path, "account", "create", "--username", "somebody").returncode == 0
    assert said in sentence(stowboard(tmp_path, "account", *words))


def test_a_bad_password_is_refused_on_the_command_line_too(tmp_path: Path) -> None:
    assert "12 to 256" in sentence(create(tmp_path, "short", "--username", "alice"))
    assert "tried first" in sentence(create(tmp_path, "password1234", "--username", "alice"))
