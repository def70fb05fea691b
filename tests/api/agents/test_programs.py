"""The programs that people have: each registers itself as it is known to, and is let in by a person."""

from typing import Any

import httpx2
import pytest

from support.clients.agents import Agent
from support.clients.applications import App
from support.clients.people import Browser, fresh_name, invited
from support.servers.stowboard import Server

#: What each sends, and where it then wants the answer.
PROGRAMS: dict[str, tuple[dict[str, Any], str]] = {
    "Claude": (
        {"redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
         "token_endpoint_auth_method": "client_secret_post"},
        "https://claude.ai/api/mcp/auth_callback",
    ),
    "Claude Code": (
        {"redirect_uris": ["http://localhost:3118/callback"], "application_type": "native"},
        "http://localhost:3118/callback",
    ),
    "ChatGPT": (
        {"redirect_uris": ["https://chatgpt.com/connector_platform_oauth_redirect"]},
        "https://chatgpt.com/connector_platform_oauth_redirect",
    ),
    "Codex": ({"redirect_uris": ["http://127.0.0.1:37819/callback/x"]}, "http://127.0.0.1:41003/callback/x"),
    "Cursor": (
        {"redirect_uris": ["cursor://anysphere.cursor-mcp/oauth/callback",
                           "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"]},
        "cursor://anysphere.cursor-mcp/oauth/callback",
    ),
    "Visual Studio Code": (
        {"redirect_uris": ["https://insiders.vscode.dev/redirect", "https://vscode.dev/redirect", "http://127.0.0.1/",
                           "http://127.0.0.1:33418/"],
         "grant_types": ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
         "application_type": "native"},
        "http://127.0.0.1:33418/",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def person(strict_server: Server) -> Browser:
    return invited(strict_server, fresh_name("ann"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_registers_itself_and_works(strict_server: Server, person: Browser, name: str) -> None:
    metadata, redirect_uri = PROGRAMS[name]
    body = {"client_name": name, "response_types": ["code"], **metadata}
    told = httpx2.post(f"{strict_server.origin}/oauth/register", json=body)
    assert told.status_code == 201, told.text
    app = App(strict_server, told.json()["client_id"], redirect_uri)
    wanted = {"resource": f"{strict_server.origin}/mcp", "scope": "tasks:read tasks:write"}
    page = app.ask(person, **wanted)
    assert f"Allow {name}?" in page.text
    token = app.sign_in(person, **wanted)["access_token"]
    assert Agent(strict_server.origin, token).call("save_task", title=name)["task"]["title"] == name


def test_a_scheme_that_anybody_could_claim_is_refused(strict_server: Server) -> None:
    for uri in ("cursors://x/callback", "javascript:alert(1)", "file:///etc/passwd", "myapp://callback"):
        answer = httpx2.post(f"{strict_server.origin}/oauth/register", json={"redirect_uris": [uri]})
        assert answer.json()["error"] == "invalid_redirect_uri"
