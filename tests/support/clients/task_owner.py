"""An owner of tasks as tests need one: of a name that no other test has, with the client library and bare requests."""

import secrets
from typing import Any

import httpx2

from stowboard_client import Board, Client, Task
from support.servers.stowboard import Server
from support.stored.events import events
from support.stored.rows import rows


class Owner:
    """Tasks are told apart by their titles, one letter each, so that an order is a word."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.name = "own" + secrets.token_hex(6)
        with Client(server.origin, server.admin_token) as admin:
            self.token = admin.tokens.create(self.name).token
        self.client = Client(server.origin, self.token)
        headers = {"authorization": f"Bearer {self.token}"}
        self.http = httpx2.Client(base_url=server.base_url, headers=headers, timeout=120)
        self.tasks, self.boards = self.client.tasks, self.client.boards
        self._titles: dict[str, str] = {}

    def close(self) -> None:
        self.client.close()
        self.http.close()

    def create(self, titles: str, **members: Any) -> list[Task]:
        """A task for each letter."""
        created = [self.tasks.create(title, **members) for title in titles]
        self._titles |= {task.id: task.title for task in created}
        return created

    def place(self, board: Board, titles: str, status: Any = "todo", **members: Any) -> list[Task]:
        """A task for each letter, on the board in this order."""
        return [self.tasks.move(task.id, status, board=board.id, **members) for task in self.create(titles)]

    def order(self, board: Board, column: int | str = 0) -> str:
        """The letters of a column, given by its index or its id, as its placements tell them."""
        column_id = board.columns[column].id if isinstance(column, int) else column
        placements = [one for one in self.boards.placements(board.id) if one.column_id == column_id]
        assert [one.position for one in placements] == list(range(len(placements)))
        assert [one.rank for one in placements] == sorted(one.rank for one in placements)
        return "".join(self._titles[one.task_id] for one in placements)

    def lane(self, status: str) -> str:
        """The letters of the tasks of a status that are on no board, in the order in which they are stored."""
        found = rows(self.server, f"SELECT id FROM task WHERE lane = 'u:{status}:{self.name}' ORDER BY rank")
        return "".join(self._titles[task_id] for (task_id,) in found)

    def events(self, subject: str) -> list[str]:
        """The kinds of the events about a task or a board, in their order."""
        return events(self.server, subject)
