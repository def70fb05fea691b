"""Lists of assets against a naive model, on both databases: every filter and order, short pages, writers meanwhile."""

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard.core.clock import LATEST_MS
from stowboard.core.ids import id_at
from stowboard.db import scan
from stowboard.db.database import Database
from stowboard.media.assets.listing import Filters, Sort
from stowboard.media.base.asset import Asset, AssetId, Kind, Status, Visibility
from support.media.asset_rows import check_counts, pages, put_asset, write_something

START = 1_700_000_000_000
TAGS = ["a", "A", 'q"a', "b\\", "[", "日本"]
NAMES = ["needle.png", "NEEDLE in hay.jpg", "50% _x!.pdf", "50% ax!.pdf", "Straße.webp", "a.png", "Z.png", "é.png"]
TYPES = ["image/png", "image/jpeg", "application/pdf", "imagex/png", "text/x_y", "text/xzy"]


async def populated(database: Database) -> list[Asset]:
    """Sixty assets in every mixture; the seed is fixed so that a failure can be looked at again."""
    chance = random.Random(7)
    return [
        await put_asset(
            database,
            id=AssetId(id_at("ast", START + number // 3)),
            kind=chance.choice(list(Kind)),
            filename=chance.choice(NAMES),
            title=chance.choice([None, "needle", "Hay"]),
            alt=chance.choice([None, "ÉCOLE"]),
            tags=chance.sample(TAGS, chance.randrange(4)),
            visibility=chance.choice(list(Visibility)),
            status=chance.choice(list(Status)),
            mime_type=chance.choice(TYPES),
            size=chance.choice([0, 1, 5, 2**40]),
            updated_at=START + chance.randrange(5),
        )
        for number in range(60)
    ]


def naive(asset: Asset, filters: Filters) -> bool:
    text = "\n".join(word for word in (asset.filename, asset.title, asset.alt) if word).casefold()
    family, _, sub = (filters.mime_type or "*/*").partition("/")
    return (
        (asset.status is filters.status if filters.status else asset.status is not Status.PENDING)
        and (filters.kind is None or asset.kind is filters.kind)
        and (filters.visibility is None or asset.visibility is filters.visibility)
        and set(filters.tags) <= set(asset.tags)
        and (family == "*" or asset.mime_type.split("/")[0] == family)
        and (sub == "*" or asset.mime_type.split("/")[1] == sub)
        and (filters.text is None or filters.text.casefold() in text)
        and (filters.created_after is None or asset.created_at >= filters.created_after)
        and (filters.created_before is None or asset.created_at < filters.created_before)
    )


def ordered(assets: list[Asset], sort: Sort) -> list[str]:
    keys: dict[Sort, Any] = {
        Sort.NEWEST: lambda asset: asset.id,
        Sort.OLDEST: lambda asset: asset.id,
        Sort.LAST_UPDATED: lambda asset: (asset.updated_at, asset.id),
        Sort.FILENAME: lambda asset: (asset.filename.encode(), asset.id),
        Sort.LARGEST: lambda asset: (asset.size, asset.id),
    }
    return [asset.id for asset in sorted(assets, key=keys[sort], reverse=sort.startswith("-"))]


def seldom(*values: Any) -> st.SearchStrategy[Any]:
    """Mostly nothing: with all filters at once, nothing would ever pass."""
    return st.one_of(st.none(), st.none(), st.sampled_from(values))


FILTERS = st.builds(
    Filters,
    kind=seldom(*Kind),
    tags=st.lists(st.sampled_from([*TAGS, "nobody's"]), max_size=2, unique=True).map(tuple),
    mime_type=seldom("image/*", "image/png", "text/x_y", "video/*"),
    visibility=seldom(*Visibility),
    status=seldom(*Status),
    text=seldom("needle", "0% _", "STRASSE", "école", "!", "%"),
    created_after=seldom(0, START, START + 7, START + 20),
    created_before=seldom(0, START + 7, START + 20, LATEST_MS),
    sort=st.sampled_from(list(Sort)),
)


async def test_every_combination_of_filters_gives_what_a_naive_reading_gives(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assets = await populated(database)
    loop = asyncio.get_running_loop()

    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(filters=FILTERS, size=st.integers(1, 70), candidates=st.integers(3, 70))
    def check(filters: Filters, size: int, candidates: int) -> None:
        monkeypatch.setattr(scan, "CANDIDATES", candidates)
        walked = asyncio.run_coroutine_threadsafe(pages(database, filters, size), loop).result(30)
        expected = ordered([asset for asset in assets if naive(asset, filters)], filters.sort)
        assert [asset_id for page in walked for asset_id in page] == expected
        assert all(len(page) <= size for page in walked)

    await asyncio.to_thread(check)


@pytest.mark.parametrize("sort", list(Sort))
async def test_a_page_may_be_short_but_looks_at_no_more_than_its_candidates(
    database: Database, monkeypatch: pytest.MonkeyPatch, sort: Sort
) -> None:
    for _ in range(30):
        await put_asset(database)
    monkeypatch.setattr(scan, "CANDIDATES", 10)
    # the thirty in three looks, and one that finds the end
    assert await pages(database, Filters(text="nothing has this", sort=sort), 5) == [[]] * 4


async def test_candidates_that_vanish_under_a_walk_hide_nothing_behind_them(
    database: Database, other_node: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page and its last candidate are of one moment; else the cursor would jump over what was never looked at."""
    monkeypatch.setattr(scan, "CANDIDATES", 4)
    staying = [(await put_asset(database, filename="needle", tags=["x"])).id for _ in range(20)]
    hay = [(await put_asset(database, filename="hay", tags=["x"])).id for _ in range(40)]
    done = False

    async def write() -> None:
        chance = random.Random(3)
        while not done:
            await write_something(other_node, chance, hay, ["x", "y", "z"])

    writing = asyncio.create_task(write())
    try:
        for _ in range(5):
            walked = await pages(database, Filters(tags=("x",), text="needle"), 3)
            assert [asset_id for page in walked for asset_id in page if asset_id in staying] == staying[::-1]
            await asyncio.sleep(0)
    finally:
        done = True
        await writing


async def test_a_walk_by_creation_among_writers_sees_what_stays_exactly_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "CANDIDATES", 7)
    staying: list[str] = []
    passing: list[str] = []
    for number in range(40):
        asset = await put_asset(database, filename="needle", tags=["x", "y"])
        (staying if number % 2 else passing).append(asset.id)
    done = False

    async def write(chance: random.Random) -> None:
        while not done:
            await write_something(database, chance, passing, ["x", "y", "z"])

    writers = [asyncio.create_task(write(random.Random(seed))) for seed in range(3)]
    try:
        for filters in (Filters(), Filters(tags=("x", "y")), Filters(text="needle"), Filters(kind=Kind.IMAGE)) * 2:
            for sort in (Sort.NEWEST, Sort.OLDEST):
                walked = await pages(database, replace(filters, sort=sort), 4)
                seen = [asset_id for page in walked for asset_id in page]
                assert seen == sorted(set(seen), reverse=sort is Sort.NEWEST)
                assert set(staying) <= set(seen)
                await asyncio.sleep(0.005)
    finally:
        done = True
        await asyncio.gather(*writers)
    await check_counts(database)
