"""The types of both clients; the functions below are checked by mypy, never called."""

import re
from pathlib import Path
from typing import assert_type

import pytest
from mypy import api as mypy

from stowboard_client import (
    Asset,
    AsyncClient,
    AsyncPager,
    Backfill,
    Client,
    Column,
    Deleted,
    IssuedToken,
    Page,
    Pager,
    Placement,
    SignedVideoUrl,
    Task,
    Token,
    Video,
)

SDK = Path(__file__).parents[1]


def blocking(client: Client) -> None:
    assert_type(client.tokens.create("ada", scopes=["tasks:read"]), IssuedToken)
    assert_type(client.with_options(retries=1).tokens.get("tok_1"), Token)
    assert_type(client.tokens.list(limit=3), Pager[Token])
    assert_type(client.tokens.list().page(), Page[Token])
    assert_type([item for item in client.tokens.list()], list[Token])  # noqa: C416
    assert_type(client.tasks.update("tsk_1", due_at=None, if_match=3), Task)
    assert_type(client.tasks.activate_index(), Backfill)
    assert_type(client.videos.upload("harbour.mp4", "Harbour", wait=60), Video)
    assert_type(client.videos.list(status="ready"), Pager[Video])
    assert_type(client.boards.columns("brd_1"), tuple[Column, ...])
    assert_type(client.upload("harbour.jpg", progress=lambda _sent, _size: None), Asset)
    client.tasks.update("tsk_1", title=None)  # type: ignore[arg-type]
    client.tasks.move("tsk_1", "finished")  # type: ignore[arg-type]
    client.tasks.activate_index("now")  # type: ignore[call-arg]
    client.tokens.create()  # type: ignore[call-arg]
    client.tokens.create("ada", kind="robot")  # type: ignore[arg-type]


async def awaiting(client: AsyncClient) -> None:
    assert_type(await client.tokens.create("ada"), IssuedToken)
    assert_type(await client.with_options(retries=1).clients.delete("cli_1"), Deleted)
    assert_type(client.tokens.list(limit=3), AsyncPager[Token])
    assert_type(await client.tokens.list().page(), Page[Token])
    assert_type([item async for item in client.tokens.list()], list[Token])
    assert_type(await client.tasks.activate_index(), Backfill)
    assert_type(await client.videos.upload(b"bytes", "Harbour"), Video)
    assert_type(await client.videos.signed_url("7f3c"), SignedVideoUrl)
    assert_type(client.boards.placements("brd_1"), AsyncPager[Placement])
    client.tokens.get("tok_1").id  # type: ignore[attr-defined]  # noqa: B018


def test_a_type_checker_tells_the_clients_apart_and_knows_every_result(monkeypatch: pytest.MonkeyPatch) -> None:
    _check(Path(__file__), monkeypatch)


def test_the_examples_of_the_readme_fit_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readme = (SDK / "README.md").read_text()
    examples = tmp_path / "readme_examples.py"
    examples.write_text("\n".join(re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)))
    _check(examples, monkeypatch)


def _check(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Strict, so that an ignore above which is not needed fails as well.
    monkeypatch.setenv("MYPYPATH", str(SDK / "src"))
    said, complaint, status = mypy.run(["--strict", "--config-file=", "--no-error-summary", str(file)])
    assert (status, complaint) == (0, ""), said
