"""Lists against a naive model, on both databases: every filter and order, short pages, and writers meanwhile."""

import asyncio
import itertools
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard.core.ids import time_of
from stowboard.db import scan
from stowboard.db.database import Database
from stowboard.search import pages as pages_found
from support.lists.assets import AssetLists
from support.lists.tasks import TaskLists
from support.lists.videos import VideoLists
from support.rounds import rounds
from support.waiting import PATIENCE_SECONDS

Lists = TaskLists | AssetLists | VideoLists
#: How much of the sixty things that writers change is on a page: a walk has a dozen pages, or more.
PAGE = 5


@pytest.fixture(params=[TaskLists, AssetLists, VideoLists])
async def lists(request: pytest.FixtureRequest, database: Database, other_node: Database) -> Lists:
    made: Lists = request.param(database, other_node)
    await made.open()
    return made


async def pages(lists: Lists, filters: Any, size: int) -> list[list[str]]:
    """The ids of every page of a walk."""
    walked: list[list[str]] = []
    after = None
    while True:
        ids, after = await lists.page(filters, after, size)
        walked.append(ids)
        await asyncio.sleep(0)
        if after is None:
            return walked


async def test_every_combination_of_filters_gives_what_a_naive_reading_gives(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lists.populate()
    loop = asyncio.get_running_loop()

    @settings(max_examples=rounds(60, 150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        filters=lists.FILTERS,
        size=st.integers(1, 70),
        candidates=st.integers(1, 70),
        ranked=st.sampled_from([5, pages_found.RANKED]),
    )
    def check(filters: Any, size: int, candidates: int, ranked: int) -> None:
        monkeypatch.setattr(scan, "CANDIDATES", candidates)
        monkeypatch.setattr(pages_found, "RANKED", ranked)
        walked = asyncio.run_coroutine_threadsafe(pages(lists, filters, size), loop).result(PATIENCE_SECONDS)
        assert [found for page in walked for found in page] == lists.expected(filters)
        assert all(len(page) <= size for page in walked)
        if filters.asked is None:
            assert all(walked[:-1]), "no page is empty but the last"

    await asyncio.to_thread(check)


async def test_candidates_that_vanish_under_a_walk_hide_nothing_behind_them(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page and its last candidate are of one moment; else a walk would jump over what was never looked at."""
    monkeypatch.setattr(scan, "CANDIDATES", 4)
    needles = [await lists.put() for _ in range(40)]
    hay = [await lists.put_hay() for _ in range(80)]
    done = False

    async def write() -> None:
        for tags in itertools.cycle(([], ["x"])):
            for one in hay:
                if done:
                    return
                await lists.tag(one, tags)

    writing = asyncio.create_task(write())
    try:
        for filters in lists.NEEDLES * 5:
            assert [one for page in await pages(lists, filters, 3) for one in page] == needles[::-1]
            await asyncio.sleep(0)
    finally:
        done = True
        await writing


async def test_a_walk_among_writers_sees_what_matches_throughout_exactly_once(
    lists: Lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "CANDIDATES", 4)
    staying: list[str] = []
    passing: list[str] = []
    for number in range(60):
        (staying if number < 40 and number % 2 else passing).append(await lists.put())
    done, writes = False, 0

    async def write(chance: random.Random) -> None:
        nonlocal writes
        while not done:
            await lists.write(chance, passing)
            writes += 1

    async def walk(filters: Any) -> list[str]:
        """Between any two pages, something is written."""
        ids, after = await lists.page(filters, None, PAGE)
        while after is not None:
            before = writes
            while writes == before and not any(writer.done() for writer in writers):
                await asyncio.sleep(0)
            more, after = await lists.page(filters, after, PAGE)
            ids += more
        return ids

    writers = [asyncio.create_task(write(random.Random(seed))) for seed in range(3)]
    try:
        filters: Any
        for filters in lists.THROUGHOUT * rounds(1, 2):
            seen = await walk(filters)
            ordered = lists.ordered(set(seen), filters)
            if filters.asked is None:
                assert seen == ordered
            else:  # those of one moment may come in another order
                assert (sorted(seen), [*map(time_of, seen)]) == (sorted(ordered), [*map(time_of, ordered)])
            assert set(staying) <= set(seen)
    finally:
        done = True
        await asyncio.gather(*writers)
    await lists.check()
