"""No list of videos goes through a whole table, however many there are: the databases' own plans say so."""

import random

import pytest

from stowboard.core.ids import id_at
from stowboard.db import scan
from stowboard.db.database import Database, Tx
from stowboard.media.base.asset import MediaVisibility
from stowboard.media.videos import listing, video_store
from stowboard.media.videos.listing import ORDERS, VideoFilters, VideoSort
from stowboard.media.videos.video import Video, VideoStatus
from support.database.query_plans import plans_of
from support.lists.videos import TAGS, new_video

START = 1_700_000_000_000
#: Enough for PostgreSQL to prefer an index wherever there is one.
MANY = 6000
LISTS = [
    VideoFilters(),
    VideoFilters(status=VideoStatus.READY),
    VideoFilters(tags=("a",)),
    VideoFilters(tags=("a", "b"), status=VideoStatus.READY, visibility=MediaVisibility.PUBLIC),
    VideoFilters(visibility=MediaVisibility.PUBLIC),
    VideoFilters(status=VideoStatus.READY, created_after=START + 100, created_before=START + MANY - 300),
    *(VideoFilters(sort=sort, visibility=MediaVisibility.PUBLIC, updated_after=START + 10) for sort in VideoSort),
]


async def test_no_list_goes_through_a_whole_table(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "CANDIDATES", 50)
    chance = random.Random(1)
    videos = [
        new_video(
            id_at("vid", START + number),
            tags=chance.sample(TAGS, 2),
            status=chance.choice(list(VideoStatus)),
            size=number,
        )
        for number in range(MANY)
    ]
    await database.transact(put_at_once, videos)
    if database.dialect == "postgres":
        await database.read(lambda tx: tx.run("ANALYZE video"))
        await database.read(lambda tx: tx.run("ANALYZE video_tag"))
    for filters in LISTS:
        middle = MANY // 2
        behind = {"id": id_at("vid", START + middle), "updated_at": START + middle, "title": "t", "size": middle}
        after = tuple(behind[name] for name in ORDERS[filters.sort].names)
        plans = await plans_of(database, listing.list_videos, filters, after, 20)
        assert plans
        for plan in plans:
            # Videos without a size begin with the newest, along the primary key, and end with the candidates.
            along = {"video"} if "t.size IS NULL" in plan.sql else set()
            assert not ({"video", "video_tag", "t", "g"} - along) & set(plan.scanned), plan
            assert not any(rows is not None and rows > 100 for rows in plan.sorts), plan


async def put_at_once(tx: Tx, videos: list[Video]) -> None:
    """Rows and tags alone: statistics are nobody's business here."""
    columns = video_store.COLUMNS
    await tx.run_many(
        f"INSERT INTO video ({columns.names}) VALUES ({columns.parameters})",
        [columns.values(video) for video in videos],
    )
    tags = [(video.space, tag, video.id) for video in videos for tag in video.tags]
    await tx.run_many("INSERT INTO video_tag (space, tag, video_id) VALUES ($1, $2, $3)", tags)
