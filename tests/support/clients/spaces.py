"""A shared space and its members, each with a token that reaches it, written straight into the database."""

import base64
import secrets
from typing import Any

import httpx2

from stowboard.core.ids import new_id
from stowboard_client import Client
from support.servers.stowboard import Server
from support.stored.rows import rows


class Member:
    """A person, with a token of all of its spaces unless others are named."""

    def __init__(self, server: Server, spaces: str = "all", **options: Any) -> None:
        self.name = "own" + secrets.token_hex(6)
        with Client(server.origin, server.admin_token) as admin:
            issued = admin.tokens.create(self.name, **options)
        rows(server, f"UPDATE access_token SET spaces = '{spaces}' WHERE id = '{issued.id}'")
        headers = {"authorization": f"Bearer {issued.token}"}
        self.http = httpx2.Client(base_url=server.base_url, headers=headers, timeout=120)

    def get(self, path: str, **query: Any) -> Any:
        """The data of an answer that is no refusal."""
        return self._data(self.http.get(path, params=query))

    def post(self, path: str, **body: Any) -> Any:
        return self._data(self.http.post(path, json=body))

    def refusal(self, method: str, path: str, body: Any = None, **query: Any) -> tuple[int, str]:
        answer = self.http.request(method, path, json=body, params=query)
        assert answer.is_error, answer.text
        return answer.status_code, answer.json()["error"]["code"]

    def _data(self, answer: httpx2.Response) -> Any:
        assert not answer.is_error, answer.text
        return answer.json()["data"]


class SharedSpace:
    def __init__(self, server: Server, members: dict[str, Member]) -> None:
        """`members` are by role."""
        self._server, self.id = server, new_id("spc")
        rows(
            server, f"INSERT INTO space (id, name, created_at, updated_at, version) VALUES ('{self.id}', 'x', 1, 1, 1)"
        )
        for role, member in members.items():
            self.put(member, role)

    def put(self, member: Member, role: str) -> None:
        rows(
            self._server,
            "INSERT INTO space_member (space_id, member, role, created_at)"
            f" VALUES ('{self.id}', '{member.name}', '{role}', 1)",
        )

    def remove(self, member: Member) -> None:
        rows(self._server, f"DELETE FROM space_member WHERE space_id = '{self.id}' AND member = '{member.name}'")
        rows(self._server, f"UPDATE space SET epoch = epoch + 1 WHERE id = '{self.id}'")

    def trash(self) -> None:
        rows(self._server, f"UPDATE space SET trashed_at = 1 WHERE id = '{self.id}'")


def upload(member: Member, name: str = "notes.txt", text: str | None = None, **body: Any) -> dict[str, Any]:
    """A small file."""
    data = base64.b64encode((text or secrets.token_hex(8)).encode()).decode()
    shown: dict[str, Any] = member.post("/media/upload/file", filename=name, data=data, **body)
    return shown
