"""Every writer keeps the index of search true: filling it in again changes nothing."""

from collections.abc import Sequence
from typing import Any

import msgspec

from stowboard.api.idempotency import redact_replies
from stowboard.core.caller import Access
from stowboard.core.ids import new_id
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Database, Tx
from stowboard.media import library_routes as media_tags
from stowboard.media.assets.remove import remove_asset
from stowboard.media.videos import video_store
from stowboard.ports import AttachedMedia, TaskUses
from stowboard.search.asked import read_query
from stowboard.search.document import assets_of, tasks_of, videos_of
from stowboard.search.index import MERGE, merge_later, store_of
from stowboard.search.store import ScopedQuery
from stowboard.tasks import tag_routes as task_tags
from stowboard.tasks.archive import delete_some
from stowboard.tasks.batch_routes import perform_batch
from stowboard.tasks.boards.boards import create_board
from stowboard.tasks.boards.transfer import transfer_board
from stowboard.tasks.create import import_tasks, read_tasks
from stowboard.tasks.index.backfill import backfill
from stowboard.tasks.wire import TaskOperation
from support.lists.videos import new_video
from support.media.asset_rows import ANN, put_asset
from support.search.documents import documents, fill, forget
from support.tasks.verbs import Person


async def check_index(database: Database) -> None:
    written = await database.read(documents)
    await database.transact(forget)
    await fill(database)
    assert written == await database.read(documents)


async def found(database: Database, text: str, *scopes: str) -> set[str]:
    return await database.read(_found, ScopedQuery(read_query(text), scopes))


async def _found(tx: Tx, wanted: ScopedQuery) -> set[str]:
    return {hit.id for hit in (await store_of(tx).newest(tx, wanted, None, 100)).hits}


async def _merge(tx: Tx) -> bool:
    return await store_of(tx).merge(tx, 1000)


async def test_a_batch_keeps_the_index_true_whether_its_operations_are_done_or_refused(database: Database) -> None:
    ann = Person(database)
    mine, other = tasks_of(ann.name, False), tasks_of(ann.name, True)

    async def batch(*operations: dict[str, Any]) -> list[str | None]:
        typed: Sequence[Any] = msgspec.convert(operations, list[TaskOperation])
        done = await database.transact(perform_batch, ann.access, typed, False, redact_replies, AttachedMedia())
        return [outcome.task.id if outcome.task else None for outcome in done]

    first, second, third, _ = await batch(
        {"op": "create", "title": "needle", "body": "in hay", "tags": ["x"]},
        {"op": "create", "title": "needle", "position": 0, "priority": 3, "metadata": {"order": "4711"}},
        {"op": "create", "title": "needle again", "idempotencyKey": "key"},
        {"op": "create", "title": "needle nowhere", "boardId": "brd_nothing"},
    )
    assert await found(database, "needle", mine) == {first, second, third}
    await database.transact(_merge)
    done = await batch(
        {"op": "update", "id": first, "title": "pin", "ifMatch": 1},
        {"op": "update", "id": first, "title": "needle", "ifMatch": 1},
        {"op": "update", "id": second, "visibility": "zero-knowledge"},
        {"op": "archive", "id": third},
        {"op": "create", "title": "another", "idempotencyKey": "key"},
        {"op": "create", "title": "needle of all", "idempotencyKey": "new"},
        {"op": "move", "id": first, "status": "done"},
        {"op": "complete", "id": "tsk_nothing"},
    )
    assert [task_id is None for task_id in done] == [False, True, False, False, False, False, False, True]
    assert await found(database, "needle", mine) == {done[5]}
    assert await found(database, "pin hay tag:x", mine) == {first}
    assert await found(database, "needle", other) == {third}
    assert await found(database, "another", mine, other) == set()
    await check_index(database)


async def test_tasks_that_go_to_another_space_or_the_archive_are_found_there_by_every_word(database: Database) -> None:
    ann, ben = Person(database), Person(database)
    both = Access.of_service(ann.name, ben.name)
    board, columns = await database.transact(create_board, ann.name, "B", "")
    titles = ["needle in hay", "_t0 needle", "needles t1", "hay"]
    ids = [
        (await ann.create(title, body="some words", tags=["x"], boardId=board.id, columnId=columns[0].id)).id
        for title in titles
    ]
    await database.transact(_merge)
    own, theirs, archive = tasks_of(ann.name, False), tasks_of(ben.name, False), tasks_of(ann.name, True)
    await ann.archive(ids[3])
    assert await found(database, "hay words", archive) == {ids[3]}
    assert await found(database, "hay words", own) == {ids[0]}
    for person, here, there in ((ben, theirs, own), (ann, own, theirs), (ben, theirs, own)):
        await database.transact(transfer_board, both, board.id, f"~{person.name}", None, AttachedMedia())
        for text, number in {"need": 3, "needle some": 2, "words tag:x": 3, "hay -needle": 0, "x -needle": 1}.items():
            assert len(await found(database, text, here)) == number, text
            assert await found(database, text, there) == set()
    await ben.edit(ids[0], title="pin in hay")
    await ben.delete(ids[1])
    assert await found(database, "needle some", own, theirs, archive) == set()
    assert await found(database, "need", own, theirs, archive) == {ids[2]}
    await check_index(database)
    if database.dialect == "sqlite":
        await database.transact(_delete_all, ben)
        assert await database.transact(_terms) == [], "a word stayed in the index without a document"


async def _delete_all(tx: Tx, person: Person) -> None:
    while await delete_some(tx, person.name):
        pass


async def _terms(tx: Tx) -> list[str]:
    """The terms that FTS5 has, of the whole database."""
    await tx.run("CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, search_index, row)")
    terms = [row[0] for row in await tx.all("SELECT term FROM temp.term")]
    await tx.run("DROP TABLE temp.term")
    return terms


async def test_a_tag_that_is_renamed_or_merged_is_found_by_its_new_name_alone(database: Database) -> None:
    ann = Person(database)
    await database.transact(backfill, ann.name)
    both = [(await ann.create("t", tags=tags)).id for tags in (["old"], ["new", "old"])]
    archived = (await ann.archive((await ann.create("t", tags=["old"])).id)).id
    assets = [(await put_asset(database, tags=tags)).id for tags in (["old", "x"], ["old"])]
    video = new_video(new_id("vid"), tags=["old"])
    await database.transact(video_store.put, None, video)
    await database.transact(_merge)
    await database.transact(task_tags.rename_tag, ann.name, "old", "new")
    await database.transact(media_tags.rename_tag, LIBRARY, "old", "new")
    scopes = [tasks_of(ann.name, False), tasks_of(ann.name, True), assets_of(LIBRARY), videos_of(LIBRARY)]
    assert await found(database, "tag:new", *scopes) == {*both, archived, *assets, video.id}
    assert await found(database, "old", *scopes) == await found(database, "tag:old", *scopes) == set()
    await check_index(database)


async def test_metadata_is_not_among_the_words_and_not_in_their_way(database: Database) -> None:
    ann = Person(database)
    mine = tasks_of(ann.name, False)
    asset = await put_asset(database, filename="needle.png", metadata={"order": "1"})
    _, sealed = [
        await ann.edit((await ann.create("needle", metadata={"name": "secret"})).id, metadata={"name": "other"})
        for _ in range(2)
    ]
    await ann.edit(sealed.id, visibility="zero-knowledge")
    await ann.edit(sealed.id, metadata={})
    lines = [b'{"title": "needle from elsewhere", "metadata": {"a": "b"}, "tags": ["x"]}', b'{"title": "hay"}']
    for batch in read_tasks(ann.caller, lines):
        await database.transact(import_tasks, ann.caller.owner, batch)
    assert len(await found(database, "needle", mine)) == 2
    assert await found(database, "secret", mine) == await found(database, "other", mine) == set()
    await database.transact(remove_asset, ANN, asset.id, None, TaskUses())
    assert await found(database, "needle", assets_of(LIBRARY)) == set()
    await check_index(database)


async def test_one_of_many_new_documents_has_those_that_wait_put_in_their_places(database: Database) -> None:
    async def add_some(tx: Tx) -> int:
        for _ in range(8000):  # that none of them is the one, is less likely than one in a hundred million
            await merge_later(tx, new_id("tsk"))
        row = await tx.one("SELECT count(*) FROM job WHERE kind = $1", MERGE.name)
        assert row is not None
        return int(row[0])

    assert await database.transact(add_some) == (1 if database.dialect == "sqlite" else 0)
