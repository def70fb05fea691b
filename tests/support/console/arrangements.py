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
    alma = invited(server, "alma", "admin").bearer()
    jonas = invited(server, "jonas")
    invitation = {"email": "nadia@example.com", "role": "member"}
    httpx2.post(f"{server.base_url}/access/invitations", json=invitation, headers=server.headers)
    members = {("alma", "manager"): alma, ("jonas", "editor"): jonas.bearer()}
    jonas.close()
    ids = _space(server, headers, members)
    _tell(server, headers, alma, ids["space"])
    return {"webhook": webhook, **ids}


def _space(server: Server, headers: dict[str, str], members: dict[tuple[str, str], dict[str, str]]) -> dict[str, str]:
    with httpx2.Client(base_url=server.base_url, headers=headers, timeout=60) as api:
        space = str(_made(api.post("/spaces", json={"name": "Home"}))["id"])
        for (username, role), member in members.items():
            _made(api.post(f"/spaces/{space}/members", json={"username": username, "role": role}))
            _made(httpx2.post(f"{server.base_url}/spaces/join", json={"spaceId": space}, headers=member))
        _made(api.post(f"/spaces/{space}/invitations", json={"role": "viewer", "uses": 3}))
        boards = [_made(api.post("/taskapp/boards", json={"name": each, "spaceId": space})) for each in BOARDS]
        shared = _made(api.post("/taskapp/tasks", json=SHARED | {"boardId": boards[-1]["id"]}))
        _made(api.post(f"/taskapp/tasks/{shared['id']}/comments", json={"body": "The soil is in the *shed*, @alma."}))
    return {"space": space, "garden": boards[-1]["id"], "shared": shared["id"]}


def _tell(server: Server, headers: dict[str, str], alma: dict[str, str], space: str) -> None:
    """Alma does what the person is told of."""
    me = httpx2.get(f"{server.base_url}/access/me", headers=headers).json()["data"]["username"]
    with httpx2.Client(base_url=server.base_url, headers=alma, timeout=60) as api:
        task = _made(api.post("/taskapp/tasks", json={"title": "Order compost", "spaceId": space, "assignees": [me]}))
        _made(api.post(f"/taskapp/tasks/{task['id']}/comments", json={"body": f"@{me}, ten bags or twelve?"}))
        _made(api.post("/taskapp/tasks", json={"title": "Sharpen the shears", "spaceId": space, "assignees": [me]}))


def _made(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data
