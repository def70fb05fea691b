"""Each way in from the terminal, by real processes and a real browser, and out again."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import httpx2
import pytest

from support.clients.terminal import Terminal
from support.console.consenting import Person
from support.servers.stowboard import Server
from support.waiting import wait_until


@pytest.fixture(scope="module")
def server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    return make_server({"STOWBOARD_SIGN_INS_PER_MINUTE": "100000"})


@pytest.fixture
def stow(server: Server, tmp_path: Path) -> Terminal:
    """Its browser is a program that notes the address."""
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened.new && mv {tmp_path}/opened.new {tmp_path}/opened\n')
    program.chmod(0o700)
    stow = Terminal(server, tmp_path / "stow")
    stow.environment["BROWSER"] = f"{program} %s"
    return stow


def opened(stow: Terminal) -> str:
    noted = stow.folder.parent / "opened"
    wait_until(noted.exists)
    address = noted.read_text().strip()
    noted.unlink()
    return address


def callback(address: str) -> str:
    return str(httpx2.URL(address).params["redirect_uri"])


def ended(process: Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, out + err
    return err


def profiles(stow: Terminal) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((stow.folder / "credentials.json").read_text())["profiles"]
    return kept


def test_the_browser_signs_in_for_commands_and_for_agents_and_signing_out_ends_both(
    server: Server, person: Person, stow: Terminal
) -> None:
    with stow.begin("login", server.origin) as process:
        person.page.goto(address := opened(stow))
        person.sign_in()
        person.answer("Allow", callback(address))
        person.page.get_by_text("You can close this window").wait_for()
        assert f"You are {person.name} at {server.origin}." in ended(process)
    assert stow("whoami").one["owner"] == person.name
    unready = stow("mcp")
    assert (unready.code, "stow login URL --agents" in unready.err) == (3, True)
    with stow.begin("login", "--agents") as process:
        person.page.goto(address := opened(stow))
        person.answer("Allow", callback(address))
        ended(process)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    listed = stow.run("mcp", stdin=json.dumps(asked) + "\n").one
    assert "save_task" in [tool["name"] for tool in listed["result"]["tools"]]
    with stow.begin("login") as process:  # again, in place of the first
        person.page.goto(address := opened(stow))
        person.answer("Allow", callback(address))
        ended(process)
    assert stow("whoami").one["owner"] == person.name
    tokens = [profile["access"] for profile in profiles(stow).values()]
    assert len(set(tokens)) == 2
    assert stow.run("logout").code == 0
    for token in tokens:
        for door in (f"{server.base_url}/access/token", f"{server.origin}/mcp"):
            answer = httpx2.post(door, headers={"authorization": f"Bearer {token}"}, json=asked)
            assert answer.status_code == 401
    assert [stow(command).code for command in ("whoami", "mcp")] == [3, 3]


def test_who_says_no_in_the_browser_has_refused(server: Server, person: Person, stow: Terminal) -> None:
    with stow.begin("login", server.origin) as process:
        person.page.goto(address := opened(stow))
        person.sign_in()
        person.answer("Deny", callback(address))
        _, err = process.communicate(timeout=120)
    assert (process.returncode, "The sign-in was refused" in err) == (3, True)
    assert not (stow.folder / "credentials.json").exists()


def test_a_code_is_typed_in_the_browser(server: Server, person: Person, stow: Terminal) -> None:
    with stow.begin("login", server.origin, "--device", "--profile", "far") as process:
        assert process.stderr is not None
        found = re.search(r"Open (\S+) and type the code (\S+)", process.stderr.readline())
        assert found is not None
        person.page.goto(found[1])
        person.sign_in()
        person.page.fill("#code", found[2])
        person.page.click("form[data-device] button")
        person.page.click("button[data-answer=allow]:not([disabled])")
        assert f"You are {person.name}" in ended(process)
    assert stow("whoami", "--profile", "far").one["owner"] == person.name
    token = profiles(stow)["far"]["access"]
    assert stow.run("login", server.origin, "--token", "-", stdin=f"{server.admin_token}\n").code == 0
    assert stow("profile", "ls", "--fields", "name,kind").one == {"name": "far", "kind": "token"}
    assert stow("whoami").one["owner"] == "admin"
    assert stow.run("logout").code == 0
    # A token of one's own is only forgotten; it replaced a sign-in, which was ended.
    for one, status in ((server.admin_token, 200), (token, 401)):
        answer = httpx2.get(f"{server.base_url}/access/token", headers={"authorization": f"Bearer {one}"})
        assert answer.status_code == status
