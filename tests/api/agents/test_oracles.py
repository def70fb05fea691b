"""Foreign programs at our door: the official clients, the inspector, and the conformance suite of the protocol."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from support.clients.credentials import Issue, bearer
from support.servers.ports import free_port
from support.servers.stowboard import Server
from support.tools.node import NODE, TOOLS, needs_node

pytestmark = pytest.mark.cluster_in_soak
SUITE = TOOLS / "node_modules" / "@modelcontextprotocol" / "conformance"
#: Scenarios of the suite that fail, and why they may.
NOT_OFFERED = {
    "completion-complete": "nothing is completed",
    "prompts-list": "there are no prompts",
    "prompts-get-simple": "there are no prompts",
    "prompts-get-with-args": "there are no prompts",
    "prompts-get-embedded-resource": "there are no prompts",
    "prompts-get-with-image": "there are no prompts",
    "tools-call-with-progress": "no tool takes long enough to tell how far it is",
    "json-schema-2020-12": "its tool wants keywords that no argument of ours needs",
}
NOT_OFFERED_SINCE_2026 = NOT_OFFERED | {
    "server-stateless": "22 checks pass; three want tools that stream, or need something of the client",
    "caching": "all but the hint of prompts/list",
    "http-custom-header-server-validation": "no argument of ours is repeated in a header",
    **{
        f"input-required-result-{each}": "no tool asks the person back"
        for each in (
            "basic-elicitation", "basic-sampling", "basic-list-roots", "request-state", "multiple-input-requests",
            "multi-round", "non-tool-request", "result-type", "tampered-state", "capability-check",
        )
    },
    **{
        f"tasks-{each}": "the extension for long work is not offered"
        for each in (
            "lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input",
            "request-headers", "dispatch-and-envelope", "required-task-error", "mrtr-composition",
        )
    },
}  # fmt: skip
NOT_OFFERED_IN_2025 = NOT_OFFERED | {
    "logging-set-level": "no log is sent to clients",
    "tools-call-with-logging": "no log is sent to clients",
    "tools-call-sampling": "nothing is asked of the client's model",
    "tools-call-elicitation": "no tool asks the person back",
    "elicitation-sep1034-defaults": "no tool asks the person back",
    "elicitation-sep1330-enums": "no tool asks the person back",
    "resources-subscribe": "resources are read, not watched",
    "resources-unsubscribe": "resources are read, not watched",
}


@pytest.fixture(scope="module")
def fixtures() -> Iterator[str]:
    """The suite's own tools, behind our door."""
    origin = f"http://127.0.0.1:{(port := free_port())}"
    words = [
        str(Path(sys.executable).with_name("granian")), "--interface", "asgi", "--host", "127.0.0.1",
        "--port", str(port), "support.agents.conformance_app:app",
    ]  # fmt: skip
    environment = os.environ | {"ORIGIN": origin, "PYTHONPATH": str(TOOLS.parent)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, env=environment, stdout=quiet, stderr=quiet, start_new_session=True) as process:
        until = time.monotonic() + 120
        while True:
            try:
                httpx2.get(f"{origin}/mcp")
                break
            except httpx2.TransportError:
                assert process.poll() is None
                assert time.monotonic() < until
                time.sleep(0.05)
        yield f"{origin}/mcp"
        os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def conformance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program; it is written for Node 22, of which it needs a name that it does not use here."""
    if not SUITE.is_dir():
        pytest.skip("NOT TESTED: the conformance suite of MCP is not installed (npm ci in tests/tools)")
    folder = tmp_path_factory.mktemp("conformance")
    (folder / "node_modules").symlink_to(TOOLS / "node_modules")
    program = shutil.copytree(SUITE, folder / "suite", symlinks=True) / "dist" / "index.js"
    program.write_text(re.sub(r"globSync as \w+,", "", program.read_text(), count=1))
    return program


@needs_node
@pytest.mark.parametrize(
    ("revision", "excepted"), [("2026-07-28", NOT_OFFERED_SINCE_2026), ("2025-11-25", NOT_OFFERED_IN_2025)]
)
def test_the_conformance_suite_finds_nothing_wrong_with_what_is_offered(
    fixtures: str, conformance: Path, revision: str, excepted: dict[str, str]
) -> None:
    words = [NODE, conformance, "server", "--url", fixtures, "--requirements", revision, "--timeout", "60000"]
    done = subprocess.run(
        [str(word) for word in words], cwd=conformance.parent, capture_output=True, text=True, timeout=300
    )
    outcomes = dict(re.findall(r"^[✓✗] ([\w-]+): \d+ passed, (\d+) failed$", done.stdout, re.MULTILINE))
    assert len(outcomes) > 25, done.stdout + done.stderr
    assert {name for name, failed in outcomes.items() if failed != "0"} == set(excepted)


@needs_node
def test_the_clients_for_typescript_work_with_it(server: Server, issue: Issue, owner: str) -> None:
    done = subprocess.run(
        [str(NODE), "mcp_clients.mjs", f"{server.origin}/mcp", issue(owner).token], cwd=TOOLS, capture_output=True,
        text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout)
    assert {name: each.pop("version") for name, each in outcome.items()} == {
        "new": "2026-07-28", "default": "2025-11-25", "old": "2025-11-25",
    }  # fmt: skip
    for name, each in outcome.items():
        assert each == {"tools": 11, "found": [name], "board": True}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_client_for_python_works_with_it(server: Server, issue: Issue, owner: str, mode: Any) -> None:
    client = pytest.importorskip("mcp.client", reason="NOT TESTED: the client of MCP for Python is not installed")
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx2.AsyncClient(headers=bearer(issue(owner))) as web,
        client.Client(streamable_http_client(f"{server.origin}/mcp", http_client=web), mode=mode) as agent,
    ):
        assert len((await agent.list_tools()).tools) == 11
        made = await agent.call_tool("save_task", {"title": "By Python", "due": "2026-12-01"})
        assert made.structured_content["task"]["due"] == "2026-12-01"
        refused = await agent.call_tool("get_task", {"id": "tsk_nothing"})
        assert refused.is_error
        assert (await agent.list_resource_templates()).resource_templates[0].uri_template


@needs_node
@pytest.mark.soak
def test_the_inspector_lists_and_calls_tools(server: Server, issue: Issue, owner: str, tmp_path: Path) -> None:
    """It brings a bundler of a hundred megabytes along, so it is fetched for this test alone."""
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(tmp_path)]
    done = subprocess.run([*npm, "@modelcontextprotocol/inspector@2.12.0"], capture_output=True, timeout=600)
    if done.returncode != 0:
        pytest.skip("NOT TESTED: the inspector of MCP could not be fetched")
    program, token = tmp_path / "node_modules" / ".bin" / "mcp-inspector", issue(owner)

    def inspected(method: str, *words: str) -> Any:
        done = subprocess.run(
            [str(program), "--cli", f"{server.origin}/mcp", "--transport", "http", "--header",
             f"Authorization: Bearer {token.token}", "--method", method, *words],
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    assert len(inspected("tools/list")["tools"]) == 11
    made = inspected("tools/call", "--tool-name", "save_task", "--tool-arg", "title=Inspected")
    assert made["structuredContent"]["task"]["title"] == "Inspected"
