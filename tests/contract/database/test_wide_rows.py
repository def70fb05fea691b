"""Texts of people lie beside what belongs to them: a row of usual length takes no page of its own on SQLite."""

from pathlib import Path

import apsw

from support.servers.in_process import in_process
from support.servers.stacks import UNLIMITED

A_PARAGRAPH = "The fern on the window sill too, and a little less for the cactus. " * 15


async def test_texts_of_a_thousand_characters_fit_into_a_page(tmp_path: Path) -> None:
    async with in_process(tmp_path / "data", UNLIMITED) as service:
        await service.begin_as("alice")
        for number in range(20):
            task = await service.create({"title": str(number), "body": A_PARAGRAPH})
            await service.ask("PATCH", f"/taskapp/tasks/{task}", {"body": A_PARAGRAPH.upper()}, key=f"edit {number}")
            await service.ask("POST", f"/taskapp/tasks/{task}/comments", {"body": A_PARAGRAPH})
        (file,) = (tmp_path / "data").glob("*.db")
        split = "SELECT DISTINCT name FROM dbstat WHERE pagetype = 'overflow' AND name NOT LIKE 'search%'"
        assert apsw.Connection(str(file)).execute(split).fetchall() == []
