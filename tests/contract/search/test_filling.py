"""A job fills in what was there before the index, and goes on where it was; until it is done, search says so."""

import pytest

from stowboard.core.ids import new_id
from stowboard.db.database import Database
from stowboard.finding import FILLED_BY
from stowboard.media.videos import video_store
from stowboard.search import filling
from stowboard.search.asked import SearchType, read_query
from stowboard.search.filling import SearchNotReady, begin_again, fill_some, require_filled
from stowboard.tasks.find import find_tasks
from stowboard.tasks.index.backfill import backfill
from stowboard.tasks.index.listing import TaskFilters
from support.lists.videos import new_video
from support.media.asset_rows import put_asset
from support.search.documents import documents, fill, forget
from support.tasks.verbs import Person


async def test_the_job_fills_in_what_writes_would_have_written(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 3)
    ann, ben = Person(database), Person(database)
    for number in range(5):
        await ann.create(f"needle {number}", body="in the hay", tags=["x"])
    await ben.archive((await ben.create("needle")).id)
    await ben.edit((await ben.create("secret")).id, visibility="zero-knowledge")
    await put_asset(database, filename="needle.png", alt="Hay")
    await database.transact(video_store.put, None, new_video(new_id("vid"), title="Needle", tags=["y"]))
    written = await database.read(documents)
    assert len(written) == 8
    await database.transact(forget)
    assert await database.read(documents) == {}
    assert await fill(database) > 4
    assert await database.read(documents) == written
    await database.transact(forget)
    await fill(database)
    await database.transact(begin_again)  # on what is whole already
    await fill(database)
    assert await database.read(documents) == written


async def test_a_list_says_that_search_is_not_ready_until_its_own_part_is(database: Database) -> None:
    ann = Person(database)
    await database.transact(backfill, ann.name)
    task = await ann.create("needle")
    await database.transact(forget)
    asked = TaskFilters(asked=read_query("needle"))
    with pytest.raises(SearchNotReady):
        await database.read(find_tasks, [ann.name], asked, None, 10)
    assert len((await database.read(find_tasks, [ann.name], TaskFilters(), None, 10)).items) == 1
    while await database.transact(fill_some, SearchType.TASK, FILLED_BY[SearchType.TASK]):
        pass
    found = await database.read(find_tasks, [ann.name], asked, None, 10)
    assert [row[0] for row in found.items] == [task.id]
    with pytest.raises(SearchNotReady):
        await database.read(require_filled, [SearchType.TASK, SearchType.VIDEO])


async def test_what_is_written_while_it_is_filled_stays_as_it_was_written(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 2)
    ann = Person(database)
    tasks = [await ann.create("before") for _ in range(6)]
    await database.transact(forget)
    await database.transact(fill_some, SearchType.TASK, FILLED_BY[SearchType.TASK])
    await ann.edit(tasks[0].id, title="after")
    await ann.edit(tasks[5].id, title="after")
    await ann.delete(tasks[4].id)
    new = await ann.create("after")
    await fill(database)
    found = await database.read(documents)
    assert {subject: title for subject, (title, *_) in found.items() if subject.startswith("tsk")} == {
        **{task.id: " before " for task in tasks[1:4]},
        **dict.fromkeys((tasks[0].id, tasks[5].id, new.id), " after "),
    }
