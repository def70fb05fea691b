"""Settings as people have them: tokens, a webhook, others who were let in."""

from typing import Any

import httpx2

from support.clients.people import invited
from support.servers.stowboard import Server

TOKENS: list[dict[str, Any]] = [
    {"name": "nightly report", "scopes": ["tasks:read", "media:read"]},
    {"name": "photo frame", "scopes": ["media:read"], "expiresIn": 30 * 86_400},
]


def fill(server: Server, headers: dict[str, str]) -> dict[str, str]:
    """The id of the webhook by its name."""
    with httpx2.Client(base_url=server.base_url, headers=headers, timeout=60) as api:
        for token in TOKENS:
            _made(api.post("/access/me/tokens", json=token))
        body = {"url": "https://hooks.example.com/stowboard", "types": ["task.*", "media.asset.ready"], "name": "n8n"}
        webhook = str(_made(api.post("/webhooks", json=body))["id"])
        assert api.post(f"/webhooks/{webhook}/test").is_success
    invited(server, "alma", "admin").close()
    invited(server, "jonas").close()
    invitation = {"email": "nadia@example.com", "role": "member"}
    httpx2.post(f"{server.base_url}/access/invitations", json=invitation, headers=server.headers)
    return {"webhook": webhook}


def _made(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data
