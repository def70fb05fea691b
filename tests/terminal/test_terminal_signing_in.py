"""Signing in from the terminal, and what is kept of it."""

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import httpx2
import pytest
from keyring import get_keyring, set_keyring
from keyring.backends import fail
from keyrings.alt.file import PlaintextKeyring

from support.api.answers import data_of
from support.clients.applications import App
from support.clients.people import Browser, fresh_name, invited
from support.clients.terminal import Terminal
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak


@pytest.fixture(scope="module")
def browser(shared_server: Server) -> Browser:
    """The browser of one person, for all of these tests."""
    return invited(shared_server, fresh_name("ann"))


@pytest.fixture(scope="module")
def name(browser: Browser) -> str:
    owner: str = data_of(browser.get("/session"))["account"]["username"]
    return owner


@pytest.fixture
def stow(server: Server, tmp_path: Path) -> Terminal:
    return Terminal(server, tmp_path / "stow")


@pytest.fixture
def signed_in(server: Server, browser: Browser, stow: Terminal) -> Terminal:
    """With what a sign-in leaves behind."""
    tokens = App(server, "stow", "http://127.0.0.1:1/callback").sign_in(browser, scope="tasks:write media:write")
    keep(stow, url=server.origin, access=tokens["access_token"], refresh=tokens["refresh_token"], stale_at=4e9)
    return stow


def keep(stow: Terminal, **changes: Any) -> None:
    file = stow.folder / "credentials.json"
    stow.folder.mkdir(exist_ok=True)
    before = kept(stow) if file.exists() else {}
    file.write_text(json.dumps({"profiles": {"default": before | changes}}))


def told(process: Popen[str], pattern: str) -> str:
    """A line of standard error, as soon as it is there."""
    assert process.stderr is not None
    said = ""
    while line := process.stderr.readline():
        said += line
        if found := re.search(pattern, said):
            return found[1]
    raise AssertionError(said)


def allow(browser: Browser, address: str) -> None:
    """The person allows it, and the browser goes where it is sent."""
    assert browser.get(address).status_code == 200
    decided = browser.post("/oauth/decision", json={"query": urlsplit(address).query, "allow": True})
    location = data_of(decided)["location"]
    assert httpx2.get(location.replace("state=", "state=x")).status_code == 404  # not the one that was asked for
    assert "close this window" in httpx2.get(location).text


def kept(stow: Terminal) -> dict[str, Any]:
    profile: dict[str, Any] = json.loads((stow.folder / "credentials.json").read_text())["profiles"]["default"]
    return profile


def test_a_browser_here_signs_in_and_only_its_owner_reads_what_is_kept(
    server: Server, browser: Browser, stow: Terminal, name: str
) -> None:
    stow.environment["BROWSER"] = "true"
    with stow.begin("login", server.origin) as process:
        allow(browser, told(process, r"(http\S+/oauth/authorize\S+)"))
        assert process.wait(timeout=120) == 0
    assert stow("whoami").one["owner"] == name
    assert (stow.folder / "credentials.json").stat().st_mode & 0o777 == 0o600
    assert stow("task", "add", "Call home").code == 0
    assert stow("api", "GET", "/access/tokens").code == 3  # no admin unless it is asked for


def test_signing_out_ends_it_at_the_server_too(signed_in: Terminal, server: Server) -> None:
    access = kept(signed_in)["access"]
    assert signed_in("logout").code == 0
    assert signed_in("whoami").code == 3
    answer = httpx2.get(f"{server.base_url}/access/token", headers={"authorization": f"Bearer {access}"})
    assert answer.status_code == 401
    assert signed_in("logout").code == 4


def test_commands_that_renew_a_sign_in_at_once_all_get_in(signed_in: Terminal, name: str) -> None:
    before = kept(signed_in)["refresh"]
    keep(signed_in, stale_at=0)
    with signed_in.begin("whoami") as one, signed_in.begin("whoami") as two, signed_in.begin("whoami") as three:
        owners = [json.loads(process.communicate(timeout=120)[0])["owner"] for process in (one, two, three)]
    assert owners == [name] * 3
    assert kept(signed_in)["refresh"] != before
    assert float(kept(signed_in)["stale_at"]) > time.time()


def test_a_token_that_the_server_does_not_take_is_renewed(signed_in: Terminal, name: str) -> None:
    keep(signed_in, access="stow_wrong")
    assert signed_in("whoami").one["owner"] == name
    assert kept(signed_in)["access"] != "stow_wrong"


def test_a_sign_in_that_is_over_says_so(signed_in: Terminal) -> None:
    keep(signed_in, stale_at=0, refresh="stowr_wrong")
    ran = signed_in("whoami")
    assert ran.code == 3
    assert "stow login" in ran.err


def test_a_code_is_typed_elsewhere(server: Server, browser: Browser, stow: Terminal, name: str) -> None:
    with stow.begin("login", server.origin, "--device", "--scope", "tasks:read") as process:
        code = told(process, r"type the code (\S+)")
        data_of(browser.post("/device/decide", json={"code": code, "allow": True}))
        assert process.wait(timeout=120) == 0
    assert stow("whoami", "--fields", "owner,scopes").one == {"owner": name, "scopes": ["tasks:read"]}
    refused = stow("task", "add", "x")
    assert refused.code == 3
    assert "tasks:write" in refused.err


def test_a_token_comes_from_standard_input_alone(server: Server, stow: Terminal) -> None:
    assert stow("login", server.origin, "--token", server.admin_token).code == 2
    assert stow("login", server.origin, "--token", "-", stdin="stow_wrong\n").code == 3
    assert not (stow.folder / "credentials.json").exists()
    assert stow("login", server.origin, "--token", "-", stdin=f"{server.admin_token}\n").code == 0
    assert stow("whoami").one["owner"] == "admin"


def test_profiles_are_told_apart_and_the_environment_wins(server: Server, stow: Terminal, tmp_path: Path) -> None:
    for profile in ("one", "two"):
        ran = stow("login", server.origin, "--token", "-", "--profile", profile, stdin=server.admin_token)
        assert ran.code == 0
    assert [line["name"] for line in stow("profile", "ls").lines if line["current"]] == ["two"]
    assert stow("profile", "use", "one").code == 0
    assert [line["name"] for line in stow("profile", "ls").lines if line["current"]] == ["one"]
    assert stow("profile", "use", "three").code == 4
    before = (stow.folder / "credentials.json").read_bytes()
    stow.environment |= {"STOW_URL": server.origin, "STOW_TOKEN": "stow_wrong"}
    assert stow("whoami").code == 3
    assert stow("whoami", "--profile", "two").code == 0
    assert (stow.folder / "credentials.json").read_bytes() == before


@pytest.fixture
def keyring(stow: Terminal, tmp_path: Path) -> Iterator[Path]:
    """One in a file, for this process and those that it begins."""
    stow.environment |= {
        "PYTHON_KEYRING_BACKEND": "keyrings.alt.file.PlaintextKeyring", "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }  # fmt: skip
    ours, before = PlaintextKeyring(), get_keyring()
    ours.file_path = tmp_path / "data" / "python_keyring" / "keyring_pass.cfg"
    set_keyring(ours)
    yield ours.file_path
    set_keyring(before)


def test_a_sign_in_is_kept_in_the_keyring_renewed_there_and_removed(
    server: Server, browser: Browser, stow: Terminal, name: str, keyring: Path
) -> None:
    stow.environment["BROWSER"] = "true"
    with stow.begin("login", server.origin, "--keyring") as process:
        allow(browser, told(process, r"(http\S+/oauth/authorize\S+)"))
        _, said = process.communicate(timeout=120)
        assert "kept in the keyring" in said
    assert (kept(stow)["refresh"], kept(stow)["access"]) == ("", "")
    assert "default_20at_20http" in keyring.read_text()
    assert stow.run("whoami").one["owner"] == name
    assert stow("profile", "ls", "--fields", "kind,kept").one == {"kind": "sign-in", "kept": "keyring"}
    before = keyring.read_text()
    keep(stow, stale_at=0)
    assert stow("whoami").one["owner"] == name
    assert keyring.read_text() != before
    assert (kept(stow)["refresh"], kept(stow)["access"]) == ("", "")
    assert stow("logout").code == 0
    assert "default_20at_20http" not in keyring.read_text()
    assert stow("whoami").code == 3


def test_a_token_of_ones_own_is_kept_in_the_keyring_too(server: Server, stow: Terminal, keyring: Path) -> None:
    said = stow("login", server.origin, "--token", "-", "--keyring", stdin=server.admin_token)
    assert said.code == 0, said.err
    assert server.admin_token not in (stow.folder / "credentials.json").read_text()
    assert stow("whoami").one["owner"] == "admin"
    keyring.unlink()
    lost = stow("whoami")
    assert (lost.code, "keyring no longer has the sign-in" in lost.err) == (3, True)
    assert stow("login", server.origin, "--token", "-", stdin=server.admin_token).code == 0
    assert stow("whoami").one["owner"] == "admin"


def test_a_keyring_that_cannot_be_used_is_told_before_anybody_signs_in(server: Server, stow: Terminal) -> None:
    with mock.patch.dict(sys.modules, {"keyring": None}):
        ran = stow("login", server.origin, "--device", "--keyring")
    assert (ran.code, ran.err) == (1, "stow: The keyring needs a package: pip install 'stowboard-client[keyring]'\n")
    before = get_keyring()
    set_keyring(fail.Keyring())
    ran = stow("login", server.origin, "--device", "--keyring")
    set_keyring(before)
    assert ran.code == 1
    assert "cannot be used" in ran.err
    assert not (stow.folder / "credentials.json").exists()


def test_threads_of_one_command_share_a_renewal(signed_in: Terminal, tmp_path: Path) -> None:
    keep(signed_in, stale_at=0)
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text(f"{signed_in.folder} {number}")
    assert len(signed_in("upload", str(folder)).lines) == 6
