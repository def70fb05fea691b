"""Programs of agents that sign a person in by themselves: the official client for Python, and the suite that checks
authorization servers."""

import asyncio
import re
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import Any

import httpx2
import pytest

from support.api.answers import data_of
from support.clients.applications import parameters_of, registered
from support.console.consenting import CALLBACK, Person
from support.servers.ports import free_port
from support.servers.stowboard import Server
from support.tools.node import NODE, TOOLS

SUITE = TOOLS / "node_modules" / "@modelcontextprotocol" / "conformance"
PATIENCE_SECONDS = 120


@pytest.fixture(scope="module")
def server(make_server: Callable[[dict[str, str]], Server]) -> Server:
    return make_server({"STOWBOARD_SIGN_INS_PER_MINUTE": "100000", "STOWBOARD_OAUTH_REGISTRATIONS_PER_DAY": "1000"})


class PythonAgent:
    """The client, in a thread of its own: it knows nothing but an address, and asks us to ask the person."""

    def __init__(self, address: str) -> None:
        from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
        from mcp.shared.auth import OAuthClientMetadata
        from pydantic import AnyUrl

        self.kept: dict[str, Any] = {}
        self.ask: Queue[str] = Queue()
        self.answer: Queue[str] = Queue()
        self.outcome: list[httpx2.Response] = []
        self._address = address

        async def come_back() -> AuthorizationCodeResult:
            told = parameters_of(await asyncio.to_thread(self.answer.get, timeout=PATIENCE_SECONDS))
            return AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told["iss"])

        metadata = OAuthClientMetadata(
            redirect_uris=[AnyUrl(CALLBACK)], client_name="An agent", token_endpoint_auth_method="none"
        )
        self._auth = OAuthClientProvider(address, metadata, self, self._go_to, come_back)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def finish(self) -> list[httpx2.Response]:
        self._thread.join(PATIENCE_SECONDS)
        return self.outcome

    async def get_tokens(self) -> Any:
        return self.kept.get("tokens")

    async def set_tokens(self, tokens: Any) -> None:
        self.kept.setdefault("every", []).append(tokens.access_token)
        self.kept["tokens"] = tokens

    async def get_client_info(self) -> Any:
        return self.kept.get("client")

    async def set_client_info(self, client_info: Any) -> None:
        self.kept["client"] = client_info

    async def _go_to(self, address: str) -> None:
        self.ask.put(address)

    async def _run(self) -> None:
        async with httpx2.AsyncClient(auth=self._auth, timeout=PATIENCE_SECONDS) as client:
            self.outcome.append(await client.get(f"{self._address}/access/me"))
            self._auth.context.token_expiry_time = 1.0  # long ago: it refreshes by itself
            self.outcome.append(await client.get(f"{self._address}/access/me"))


def test_the_client_for_python_finds_out_registers_asks_and_refreshes(server: Server, person: Person) -> None:
    pytest.importorskip("mcp", reason="NOT TESTED: the client of MCP for Python is not installed")
    agent = PythonAgent(server.base_url)
    agent.start()
    person.page.goto(agent.ask.get(timeout=PATIENCE_SECONDS))
    person.sign_in()
    assert person.page.wait_for_selector("text=Allow An agent?")
    agent.answer.put(person.answer("Allow"))
    first, second = agent.finish()
    assert data_of(first)["username"] == data_of(second)["username"] == person.name
    assert len(set(agent.kept["every"])) == 2


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The program; it is written for Node 22, of which it needs a name that it does not use here."""
    if not SUITE.is_dir() or NODE is None:
        pytest.skip("NOT TESTED: the conformance suite of MCP is not installed (npm ci in tests/tools)")
    (tmp_path / "node_modules").symlink_to(TOOLS / "node_modules")
    program = shutil.copytree(SUITE, tmp_path / "suite", symlinks=True) / "dist" / "index.js"
    program.write_text(re.sub(r"globSync as \w+,", "", program.read_text(), count=1))
    return program


def test_the_suite_for_authorization_servers_finds_nothing_wrong(server: Server, person: Person, suite: Path) -> None:
    port = free_port()
    callback = f"http://127.0.0.1:{port}/callback"
    app = registered(server, callback)
    words = [
        str(NODE), str(suite), "authorization", "--url", server.origin, "--client-id", app.client_id,
        "--resource", f"{server.origin}/mcp", "-p", str(port),
    ]  # fmt: skip
    with subprocess.Popen(words, cwd=suite.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        assert run.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith(f"{server.origin}/oauth/authorize?"):
            line = run.stdout.readline()
            assert line, lines
            lines.append(line)
        person.page.goto(lines[-1].strip())
        person.sign_in()
        person.answer("Allow", callback)
        lines.extend(run.stdout)
    found = re.findall(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$", "".join(lines), re.MULTILINE)
    assert [(name, failed) for name, _, failed in found] == [
        ("authorization-server-metadata-endpoint", "0"), ("authorization-code-grant", "0"),
    ], "".join(lines)  # fmt: skip
