"""`stowboard token`: before the first start, and beside a running server."""

import re
import subprocess
from pathlib import Path

import httpx2
import pytest

from stowboard_client import Client
from support.clients.credentials import bearer, check_forgotten
from support.clients.people import fresh_name
from support.servers.command import sentence, stowboard
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak

ALL_OPTIONS = (
    "--admin", "--namespace", "blog", "--scopes", "tasks:read,media:read", "--interactive", "--expires-in", "90d",
    "--name", "from the command line",
)  # fmt: skip


def secret_in(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    secret = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"stow_[0-9A-Za-z]{36}", secret)
    return secret


def test_a_token_made_beside_a_running_server_works_at_once(server: Server, client: Client) -> None:
    owner = fresh_name("owner")  # nobody's account, whose role would decide
    done = server.command("token", "create", "--owner", owner, *ALL_OPTIONS)
    secret = secret_in(done)
    assert httpx2.get(server.base_url, headers=bearer(secret)).status_code == 200
    found = re.match(rf"(tok_\w+) for {owner}: tasks:read media:read admin\.", done.stdout)
    assert found is not None
    token = client.tokens.get(found[1])
    assert (token.owner, token.namespace, token.kind, token.admin) == (owner, "blog", "interactive", True)
    assert (token.scopes, token.name) == (("tasks:read", "media:read", "admin"), "from the command line")
    assert token.expires_at == token.created_at + 90 * 24 * 3_600_000


def test_a_token_made_before_the_first_start_works_after_it(own_server: Server) -> None:
    """As with a fresh installation: the data is there, the server was never started on it."""
    own_server.stop()
    secret = secret_in(own_server.command("token", "create", "--owner", "early", "--admin"))
    own_server.start()
    assert httpx2.get(own_server.base_url + "/access/tokens", headers=bearer(secret)).status_code == 200


def test_a_new_data_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "data" / "stowboard.db").stat().st_mode & 0o077 == 0


def test_tokens_are_listed_and_revoked_by_their_ids(server: Server, client: Client) -> None:
    token = client.tokens.create("bob", name="to be revoked", expires_in=3600)
    listed = server.command("token", "list")
    (line,) = [line for line in listed.stdout.splitlines() if token.id in line]
    assert "bob" in line
    assert "to be revoked" in line
    assert "until 20" in line
    assert token.token not in listed.stdout
    done = server.command("token", "revoke", token.id)
    assert (done.returncode, done.stdout) == (0, f"{token.id} is revoked.\n")
    assert token.id not in server.command("token", "list").stdout
    check_forgotten(server, bearer(token), times=1)
    assert f"no live token {token.id}" in sentence(server.command("token", "revoke", token.id))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--owner", ""), "owner: expected 1 to 200"),
        (("--owner", "a", "--scopes", "nonsense"), "'nonsense' is not one of media:read"),
        (("--owner", "a", "--namespace", "No Spaces"), "namespace: expected"),
        (("--owner", "a", "--expires-in", "90"), "--expires-in 90 is not a time such as 90d"),
        (("--owner", "a", "--expires-in", "0s"), "expiresIn: expected"),
        (("--owner", "a", "--expires-in", "99999w"), "expiresIn: expected"),
        (("--owner", "a", "--name", "x" * 201), "name: expected"),
        (("--owner", "a", "--data-dir", "a-file/data"), "there is no installation at a-file/data"),
    ],
)
def test_a_token_that_cannot_be_made_is_answered_with_a_sentence(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    (tmp_path / "a-file").touch()
    assert said in sentence(stowboard(tmp_path, "token", "create", *options))


def test_an_owner_is_required(tmp_path: Path) -> None:
    done = stowboard(tmp_path, "token", "create")
    assert done.returncode == 2
    assert "--owner" in done.stderr
