"""Settings as people have them: tokens, a webhook, others who were let in, a space that is shared with them."""

from typing import Any

import httpx2

from support.clients.people import invited
from support.servers.stowboard import Server

TOKENS: list[dict[str, Any]] = [
    {"name": "nightly report", "scopes": ["tasks:read", "media:read"]},
    {"name": "photo frame", "scopes": ["media:read"], "expiresIn": 30 * 86_400},
]

BOARDS = ("Shopping", "Garden")
SHARED: dict[str, Any] = {
    "title": "Repot the fern", "tags": ["plants"], "assignees": ["alma", "jonas"],
    "checklist": [{"title": "Buy soil", "done": True}, {"title": "Find a larger pot"}, {"title": "Water it well"}],
}  # fmt: skip


def fill(server: Server, headers: dict[str, str]) -> dict[str, str]:
    """Ids of the webhook, the space, a board in it and a task on that."""
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
    return {"webhook": webhook, **_space(server, headers)}


def _space(server: Server, headers: dict[str, str]) -> dict[str, str]:
    with httpx2.Client(base_url=server.base_url, headers=headers, timeout=60) as api:
        space = str(_made(api.post("/spaces", json={"name": "Home"}))["id"])
        for username, role in (("alma", "manager"), ("jonas", "editor")):
            _made(api.post(f"/spaces/{space}/members", json={"username": username, "role": role}))
        _made(api.post(f"/spaces/{space}/invitations", json={"role": "viewer", "uses": 3}))
        boards = [_made(api.post("/taskapp/boards", json={"name": each, "spaceId": space})) for each in BOARDS]
        shared = _made(api.post("/taskapp/tasks", json=SHARED | {"boardId": boards[-1]["id"]}))
        _made(api.post(f"/taskapp/tasks/{shared['id']}/comments", json={"body": "The soil is in the *shed*, @alma."}))
    return {"space": space, "garden": boards[-1]["id"], "shared": shared["id"]}


def _made(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data
