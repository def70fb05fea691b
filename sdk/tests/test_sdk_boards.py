"""Requests and answers of the operations on boards, columns and placements."""

from typing import Any

import pytest
from both_faces import Face, collected, settled
from scripted_server import ScriptedServer, data, error

from stowboard_client import Board, Column, Placement, errors

COLUMN: dict[str, Any] = {
    "id": "col_1",
    "boardId": "brd_1",
    "name": "To do",
    "status": "todo",
    "position": 0,
    "isEntry": True,
    "isTerminal": False,
}
BOARD: dict[str, Any] = {
    "id": "brd_1",
    "name": "House",
    "description": "",
    "columns": [COLUMN],
    "createdAt": 1_700_000_000_000,
    "updatedAt": 1_700_000_000_000,
    "version": 1,
}
META = {"nextCursor": None, "hasMore": False, "limit": 50}


async def test_boards_are_created_listed_read_changed_and_deleted(face: Face, server: ScriptedServer) -> None:
    server.will(
        data(BOARD, status=201),
        data([BOARD], META),
        data(BOARD),
        data(BOARD),
        data({"id": "brd_1", "deleted": True}),
    )
    boards = face.client().boards
    created = await settled(boards.create("House", description="At home"))
    assert isinstance(created, Board)
    assert (created.columns[0].name, created.columns[0].is_entry) == ("To do", True)
    assert await collected(boards.list(limit=5)) == [created]
    assert await settled(boards.get("brd_1")) == created
    assert await settled(boards.update("brd_1", description=None)) == created
    assert (await settled(boards.delete("brd_1"))).deleted
    assert [(asked.method, asked.path) for asked in server.seen] == [
        ("POST", "/api/v1/taskapp/boards"),
        ("GET", "/api/v1/taskapp/boards"),
        ("GET", "/api/v1/taskapp/boards/brd_1"),
        ("PATCH", "/api/v1/taskapp/boards/brd_1"),
        ("DELETE", "/api/v1/taskapp/boards/brd_1"),
    ]
    assert (server.seen[0].json, server.seen[3].json) == (
        {"name": "House", "description": "At home"},
        {"description": None},
    )


async def test_columns_are_listed_added_changed_and_removed(face: Face, server: ScriptedServer) -> None:
    server.will(
        data([COLUMN]), data(COLUMN, status=201), data(COLUMN), data({"id": "col_1", "deleted": True}), data(COLUMN)
    )
    boards = face.client().boards
    [column] = await settled(boards.columns("brd_1"))
    assert isinstance(column, Column)
    assert await settled(boards.add_column("brd_1", "Soon", "todo", position=1)) == column
    assert await settled(boards.update_column("brd_1", "col_1", is_entry=True)) == column
    assert (await settled(boards.remove_column("brd_1", "col_1"))).id == "col_1"
    await settled(boards.add_column("brd_1", "Later", "todo"))
    columns = "/api/v1/taskapp/boards/brd_1/columns"
    assert [(asked.method, asked.path) for asked in server.seen] == [
        ("GET", columns),
        ("POST", columns),
        ("PATCH", columns + "/col_1"),
        ("DELETE", columns + "/col_1"),
        ("POST", columns),
    ]
    assert [server.seen[n].json for n in (1, 2, 4)] == [
        {"name": "Soon", "status": "todo", "position": 1},
        {"isEntry": True},
        {"name": "Later", "status": "todo"},
    ]


async def test_placements_follow_the_cursor(face: Face, server: ScriptedServer) -> None:
    place = {"taskId": "tsk_1", "boardId": "brd_1", "columnId": "col_1", "position": 0, "rank": "a0"}
    more = {"nextCursor": "c1", "hasMore": True, "limit": 1}
    server.will(data([place], more), data([{**place, "taskId": "tsk_2", "position": 1}], META))
    placements = await collected(face.client().boards.placements("brd_1", limit=1))
    assert isinstance(placements[0], Placement)
    assert [(each.task_id, each.position) for each in placements] == [("tsk_1", 0), ("tsk_2", 1)]
    assert server.seen[1].path == "/api/v1/taskapp/boards/brd_1/placements"
    assert server.seen[1].query == {"limit": ["1"], "cursor": ["c1"]}


async def test_the_entry_column_cannot_go_and_the_error_says_so(face: Face, server: ScriptedServer) -> None:
    server.will(error(409, "conflict", "A board always has an entry column."))
    with pytest.raises(errors.Conflict, match="entry column"):
        await settled(face.client().boards.remove_column("brd_1", "col_1"))
