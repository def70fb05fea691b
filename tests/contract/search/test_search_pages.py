"""Pages of what a search finds: each looks at a bounded number of matches, and a walk sees all of them."""

from collections.abc import Sequence

import pytest

from stowboard.core.cursor import Position
from stowboard.core.ids import id_at
from stowboard.db.database import Database, Tx
from stowboard.db.scan import RowPage
from stowboard.search import pages, postgres_store, sqlite_store
from stowboard.search.asked import read_query
from stowboard.search.document import describe, tasks_of
from stowboard.search.index import store_of
from stowboard.search.pages import find_few, find_most_relevant, find_newest, not_empty
from stowboard.search.store import ScopedQuery

START = 1_700_000_000_000
MINE = tasks_of("ann", False)
TITLES = {id_at("tsk", START + n * 1000): ("water" if n % 3 else "hay", "water") for n in range(200)}
NEWEST = sorted(TITLES, reverse=True)
WATER = ScopedQuery(read_query("water"), (MINE,))
#: No word of any document tells that it lacks these two neighbours.
PHRASE = ScopedQuery(read_query('"water hay"'), (MINE,))


@pytest.fixture(autouse=True)
def look_at_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_store, "LOOKED_AT", 10)
    monkeypatch.setattr(postgres_store, "MOST_LOOKED_AT", 20)
    monkeypatch.setattr(sqlite_store, "LOOKED_AT", (5, 10))
    monkeypatch.setattr(sqlite_store, "MOST_LOOKED_AT", 15)
    monkeypatch.setattr(sqlite_store, "MOST_STEPS", 20)
    monkeypatch.setattr(pages, "MOST_MATCHES", 30)
    monkeypatch.setattr(pages, "MOST_PAGES", 3)


@pytest.fixture(autouse=True)
async def filled(database: Database) -> None:
    async def fill(tx: Tx) -> None:
        documents = [describe(each, MINE, title, (text,), ()) for each, (title, text) in TITLES.items()]
        await store_of(tx).put(tx, documents)
        await store_of(tx).merge(tx, 1000)

    await database.transact(fill)


class LookUp:
    """Lets the oldest three pass, and counts what it was asked for."""

    def __init__(self, passing: Sequence[str]) -> None:
        self._passing, self.asked = passing, 0

    async def __call__(self, ids: Sequence[str]) -> dict[str, str]:
        self.asked += len(ids)
        return {each: each for each in ids if each in self._passing}


async def test_a_page_looks_up_a_bounded_number_of_matches_and_a_walk_finds_all(database: Database) -> None:
    after: Position | None = None
    found, short = list[str](), 0
    while True:
        look_up = LookUp(NEWEST[-3:])
        page: RowPage[str] = await database.read(find_newest, WATER, look_up, after, 2)
        assert look_up.asked <= 2 * pages.MOST_MATCHES
        found, after = found + page.items, page.end
        if after is None:
            break
        short += len(page.items) < 2
    assert found == NEWEST[-3:]
    assert short > 2, "pages that are not full although more follow"


async def test_a_walk_by_relevance_goes_on_where_a_search_ended(database: Database) -> None:
    after: Position | None = None
    found = list[str]()
    while not found or after is not None:
        page: RowPage[str] = await database.read(find_most_relevant, WATER, LookUp(NEWEST), after, 7)
        found, after = found + page.items, page.end
    assert sorted(found, reverse=True) == NEWEST
    assert TITLES[found[0]][0] == TITLES[found[1]][0] == "water", "titles first"


async def test_matches_that_were_not_all_found_are_not_put_in_another_order(database: Database) -> None:
    assert await database.read(find_few, PHRASE) is None
    assert await database.read(find_few, ScopedQuery(read_query("nothing"), (MINE,))) == []


async def test_an_ordered_search_that_nothing_passes_ends_its_page_after_some_steps(database: Database) -> None:
    async def page(after: Position | None) -> RowPage[str]:
        return RowPage([], (int(after[0]) + 1 if after else 1,))

    assert await database.read(not_empty, page, None, 3) == RowPage([], (3,))
