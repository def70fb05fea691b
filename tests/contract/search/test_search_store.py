"""One contract for both databases: what the index finds is what reading every text would find."""

import asyncio
import random
import threading
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard.core.ids import id_at
from stowboard.db.database import Database, Tx
from stowboard.search import postgres_store, sqlite_store
from stowboard.search.asked import read_query
from stowboard.search.document import SearchDocument, assets_of, describe, tasks_of, videos_of
from stowboard.search.index import store_of
from stowboard.search.store import Place, ScopedQuery, SearchFound, SearchHit
from support.search.plain_scan import Text, has_words
from support.waiting import PATIENCE_SECONDS

START = 1_700_000_000_000
ASSETS, VIDEOS = assets_of("spc_library"), videos_of("spc_library")
MINE, OTHERS = tasks_of("ann", False), tasks_of("ben", False)
WORDS = [
    "water",
    "Wasser",
    "watering",
    "the",
    "plants",
    "plànts",
    "IMG_1234.jpg",
    "img",
    "東京都",
    "京都",
    "ß",
    "e-mail",
]
TAGS = ["home", "Two words", "🔥", "Ünïcode"]
QUERIES = [
    "water", "wat", "wate", "w", "WATERING the", '"the water"', '"water the"', "plants -the", "-water", "tag:home",
    "tag:TWO", 'tag:"two WORDS"', "tag:🔥", "-tag:home water", "img_12", '"img 1234"', "ss", "京", "京都", "東京都",
    "都",
    "東京都 water", "plants the wa", "e-mail", '-"e mail"', "mail", "unicode", "words", "water water", "nothing",
    "the nothing", "watering1", "watering water wasser",
]  # fmt: skip


#: Three of one moment, whose numbers are the same.
AT_ONCE = ("tsk_01m7kt04vb5m6183efbkzpbtpn", "tsk_01m7kt04vb5m61f5e64p5zcwx4", "tsk_01m7kt04vb5m61f9zzzzzzzzzz")


def document(text: Text) -> SearchDocument:
    return describe(text.id, text.scope, text.title, text.texts, text.tags)


def some_texts(number: int, spread_ms: int = 1, seed: int = 7) -> list[Text]:
    chance = random.Random(seed)

    def words() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randrange(1, 5)))

    return [
        Text(
            id_at(chance.choice(["tsk", "ast", "vid"]), START + n // 3 * spread_ms),
            chance.choice([MINE, OTHERS, ASSETS, VIDEOS]),
            words(),
            (words(),) if chance.random() < 0.5 else (),
            tuple(chance.sample(TAGS, chance.randrange(3))),
        )
        for n in range(number)
    ]


def expected(texts: Sequence[Text], query: str, scopes: tuple[str, ...]) -> list[str]:
    asked = read_query(query)
    passing = [text for text in texts if text.scope in scopes and has_words(text, asked)]
    return [text.id for text in sorted(passing, key=lambda text: text.id[4:], reverse=True)]


async def put(tx: Tx, texts: Sequence[Text]) -> None:
    await store_of(tx).put(tx, [document(text) for text in texts])


async def add(tx: Tx, texts: Sequence[Text]) -> None:
    for text in texts:
        await tx.run_together(store_of(tx).added(document(text)))


async def remove(tx: Tx, texts: Sequence[Text]) -> None:
    await store_of(tx).remove(tx, [text.id for text in texts])


async def merge(tx: Tx, limit: int = 1000) -> bool:
    return await store_of(tx).merge(tx, limit)


async def newest(tx: Tx, wanted: ScopedQuery, below: Place | None, limit: int) -> SearchFound:
    return await store_of(tx).newest(tx, wanted, below, limit)


async def walk(database: Database, query: str, scopes: tuple[str, ...], limit: int) -> list[str]:
    wanted, found, below = ScopedQuery(read_query(query), scopes), [], None
    while True:
        hits, below = await database.read(newest, wanted, below, limit)
        found += [hit.id for hit in hits]
        if below is None:
            return found


@pytest.fixture(autouse=True)
def look_at_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few hundred documents are many."""
    monkeypatch.setattr(postgres_store, "LOOKED_AT", 10)
    monkeypatch.setattr(postgres_store, "MOST_LOOKED_AT", 30)
    monkeypatch.setattr(sqlite_store, "LOOKED_AT", (5, 10))
    monkeypatch.setattr(sqlite_store, "COMPARED", 4)
    monkeypatch.setattr(sqlite_store, "MOST_LOOKED_AT", 15)
    monkeypatch.setattr(sqlite_store, "MOST_STEPS", 40)


async def test_what_was_made_at_once_keeps_its_place_whatever_is_changed_in_which_order(database: Database) -> None:
    texts = [Text(subject, MINE, "water", (), ()) for subject in AT_ONCE]
    await database.transact(put, texts)
    await database.transact(put, texts[::-1])
    assert await walk(database, "water", (MINE,), 1) == [*reversed(AT_ONCE)]
    first, *others = texts
    seen = await database.read(newest, ScopedQuery(read_query("water"), (MINE,)), None, 2)
    await database.transact(remove, [first])
    await database.transact(put, others)
    assert await database.read(newest, ScopedQuery(read_query("water"), (MINE,)), seen.end, 2) == ([], None)


@pytest.mark.parametrize(("merged", "spread_ms"), [(0, 40_000_000), (150, 1)])
async def test_what_is_found_is_what_reading_every_text_finds(database: Database, merged: int, spread_ms: int) -> None:
    texts = some_texts(300, spread_ms)
    await database.transact(put, texts)
    await database.transact(merge, merged)
    loop = asyncio.get_running_loop()

    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        query=st.lists(st.sampled_from(QUERIES), min_size=1, max_size=2).map(" ".join),
        scopes=st.sampled_from([(MINE,), (OTHERS,), (MINE, ASSETS, VIDEOS), (ASSETS,)]),
        limit=st.sampled_from([1, 3, 50, 1000]),
    )
    def check(query: str, scopes: tuple[str, ...], limit: int) -> None:
        walked = asyncio.run_coroutine_threadsafe(walk(database, query, scopes, limit), loop).result(PATIENCE_SECONDS)
        assert walked == expected(texts, query, scopes)

    await asyncio.to_thread(check)


BROAD = {
    "common words, never together": '"red" "green"',
    "a phrase whose words are common": '"left right"',
    "what nothing is without": "-all",
}


@pytest.mark.parametrize("query", BROAD.values(), ids=BROAD)
async def test_a_search_looks_at_a_bounded_number_and_says_where_to_go_on(database: Database, query: str) -> None:
    texts = [
        Text(id_at("tsk", START + n * 1000), MINE, f"all {('red', 'green')[n % 2]}", ("right left",))
        for n in range(400)
    ]
    match = Text(id_at("tsk", START - 1000), MINE, "red green", ("left right",))
    await database.transact(put, [match, *texts])
    await database.transact(merge)
    wanted, below, searches, hits = ScopedQuery(read_query(query), (MINE,)), None, 0, list[SearchHit]()
    while not searches or below is not None:
        found = await database.read(newest, wanted, below, 5)
        hits, below, searches = [*hits, *found.hits], found.end, searches + 1
        assert searches <= 400
    assert [hit.id for hit in hits] == [match.id]
    assert searches > 5, "each looks at some thirty to fifty"


@pytest.mark.parametrize("query", ["old", "elder", '"old"', "old elde"])
async def test_words_that_only_old_documents_have_are_found_without_going_on_if_they_are_few(
    database: Database, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [
        Text(id_at("tsk", START + n * 1000), MINE, f"old elder{n}" if n < 100 else "new", ("text",)) for n in range(400)
    ]
    await database.transact(put, texts)
    await database.transact(merge)
    assert await walk(database, query, (MINE,), 3) == expected(texts, query, (MINE,))
    monkeypatch.setattr(postgres_store, "MOST_LOOKED_AT", 100)
    found = await database.read(newest, ScopedQuery(read_query(query), (MINE,)), None, 3)
    assert [hit.id for hit in found.hits] == expected(texts, query, (MINE,))[:3]


async def test_every_query_alone_finds_what_it_has_to(database: Database) -> None:
    texts = some_texts(120)
    await database.transact(add, texts)
    await database.transact(merge, 60)
    for query in QUERIES:
        assert await walk(database, query, (MINE, OTHERS), 7) == expected(texts, query, (MINE, OTHERS)), query


async def test_the_index_follows_whatever_is_written_in_whatever_order(database: Database) -> None:
    chance = random.Random(3)
    there = {text.id: text for text in some_texts(60)}
    await database.transact(put, list(there.values()))
    for step in range(40):
        some = chance.sample(sorted(there), 5)
        match step % 4:
            case 0:
                await database.transact(remove, [there.pop(text_id) for text_id in some])
            case 1:
                news = some_texts(5, seed=step)
                changed = [new._replace(id=text_id) for text_id, new in zip(some, news, strict=True)]
                await database.transact(put, sorted(changed))
                there |= {text.id: text for text in changed}
            case 2:
                added = some_texts(5, seed=1000 + step)
                await database.transact(add, added)
                there |= {text.id: text for text in added}
            case 3:
                await database.transact(merge, chance.randrange(1, 30))
    for query in QUERIES:
        assert await walk(database, query, (MINE, OTHERS, ASSETS), 10) == expected(
            list(there.values()), query, (MINE, OTHERS, ASSETS)
        ), query


async def test_what_is_merged_while_a_page_is_read_is_neither_lost_nor_told_twice(database: Database) -> None:
    texts = [Text(id_at("tsk", START + n), MINE, "water") for n in range(30)]
    await database.transact(put, texts)
    wanted, found, below = ScopedQuery(read_query("water"), (MINE,)), list[str](), None
    while not found or below is not None:
        hits, below = await database.read(newest, wanted, below, 4)
        found += [hit.id for hit in hits]
        await database.transact(merge, 5)
    assert found == expected(texts, "water", (MINE,))


async def test_many_of_one_millisecond_have_places_of_their_own(database: Database) -> None:
    same = [f"tsk_{id_at('tsk', START)[4:19]}{n:011}" for n in range(40)]
    texts = [Text(text_id, MINE, "water") for text_id in same]
    await database.transact(add, texts)
    assert sorted(await walk(database, "water", (MINE,), 7)) == sorted(same)
    await database.transact(remove, texts[::2])
    await database.transact(merge)
    assert sorted(await walk(database, "wat", (MINE,), 7)) == sorted(same[1::2])


async def test_a_title_counts_more_than_a_text_and_a_whole_word_more_than_a_beginning(database: Database) -> None:
    texts = [
        Text(id_at("tsk", START + 1), MINE, "water"),
        Text(id_at("tsk", START + 2), MINE, "watering"),
        Text(id_at("tsk", START + 3), MINE, "hay", ("water",)),
    ]
    await database.transact(put, texts)
    for _ in range(2):
        found = await database.read(newest, ScopedQuery(read_query("water"), (MINE,)), None, 10)
        assert [hit.score for hit in found.hits] == [0, 1, 2]
        await database.transact(merge)


@pytest.mark.parametrize("merged", [0, 1000])
async def test_long_texts_are_not_looked_through_on_the_event_loop_of_sqlite(
    database: Database, merged: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for store in (sqlite_store, postgres_store):
        monkeypatch.setattr(store, "MOST_LOOKED_AT", 100)
    long = " ".join(f"word{n % 40}" for n in range(8000))
    texts = [Text(id_at("tsk", START + n), MINE, "long", (long,), ()) for n in range(60)]
    await database.transact(put, texts)
    await database.transact(merge, merged)
    threads = []

    async def find(tx: Tx, query: str) -> list[SearchHit]:
        threads.append(threading.current_thread())
        return (await newest(tx, ScopedQuery(read_query(query), (MINE,)), None, 100)).hits

    assert len(await database.read(find, "long -other -none")) == 60
    assert (threads[-1] is threading.main_thread()) is (database.dialect == "postgres")
    threads.clear()
    assert await database.read(find, "rare") == []
    await database.transact(remove, texts[1:])
    threads.clear()
    assert len(await database.read(find, "long -other")) == 1
    assert threads == [threading.main_thread()]
