"""Lists of videos, and what a naive reading of their filters gives."""

import random
from typing import Any

import msgspec
from hypothesis import strategies as st

from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.ids import id_at, new_id, time_of
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Database, Tx
from stowboard.media.base.asset import MediaVisibility
from stowboard.media.videos import video_store
from stowboard.media.videos.listing import VideoFilters, VideoSort, list_videos
from stowboard.media.videos.video import ProviderVideoId, Video, VideoId, VideoStatus
from stowboard.search.asked import read_query
from support.search.plain_scan import Text, has_words

TAGS = ["a", "b", "c"]
START = 1_700_000_000_000
#: One, another, and several as a merge; nothing is in the last one.
SPACES = [(LIBRARY,), ("ann",), ("ann", LIBRARY, "spc_1", "spc_2"), ("spc_2",)]
TITLES = ["needle in a video", "hay", "Hay", "élan", "日本"]
#: Mostly nothing: with all filters at once, nothing would ever pass.
TIMES = [None, None, None, 0, START + 1, START + 7, START + 20]


class VideoLists:
    FILTERS = st.builds(
        VideoFilters,
        spaces=st.sampled_from(SPACES),
        status=st.none() | st.sampled_from(list(VideoStatus)),
        tags=st.lists(st.sampled_from([*TAGS, "nobody's"]), max_size=3, unique=True).map(tuple),
        visibility=st.none() | st.sampled_from(list(MediaVisibility)),
        metadata=st.sampled_from([None, None, ("order", "1"), ("order", "3")]),
        created_after=st.sampled_from(TIMES),
        created_before=st.sampled_from(TIMES),
        updated_after=st.sampled_from([None, None, START, START + 2, START + 9]),
        sort=st.sampled_from(list(VideoSort)),
        asked=st.sampled_from([None, *map(read_query, ["needle", "vid", "-needle", "status:ready needle"])]),
    )
    #: No list of videos has an empty page while more follow.
    THROUGHOUT = (
        VideoFilters(),
        VideoFilters(tags=("x",)),
        VideoFilters(tags=("x", "y")),
        VideoFilters(visibility=MediaVisibility.PUBLIC),
        VideoFilters(tags=("x",), visibility=MediaVisibility.PUBLIC),
    )

    NEEDLES = (VideoFilters(tags=("x",), visibility=MediaVisibility.PUBLIC),)

    def __init__(self, database: Database, other_node: Database) -> None:
        self._database, self._other_node = database, other_node
        self._videos: list[Video] = []

    async def open(self) -> None:
        pass

    async def populate(self) -> None:
        chance = random.Random(7)
        self._videos = [
            new_video(
                id_at("vid", START + number // 3),
                space=chance.choice([LIBRARY, LIBRARY, "ann", "spc_1"]),
                tags=chance.sample(TAGS, chance.randrange(4)),
                status=chance.choice(list(VideoStatus)),
                visibility=chance.choice(list(MediaVisibility)),
                metadata=chance.choice([{}, {"order": "1"}, {"order": "2", "Order": "1"}]),
                title=chance.choice(TITLES),
                updated_at=START + chance.randrange(5),
                size=chance.choice([None, 1, 2, 3]),
            )
            for number in range(60)
        ]
        for video in self._videos:
            await self._database.transact(video_store.put, None, video)

    async def page(self, filters: VideoFilters, after: Position | None, size: int) -> tuple[list[str], Position | None]:
        listed = await self._database.read(list_videos, filters, after, size)
        return [video.id for video in listed.items], listed.end

    def expected(self, filters: VideoFilters) -> list[str]:
        keys: dict[VideoSort, Any] = {
            VideoSort.NEWEST: lambda video: video.id,
            VideoSort.OLDEST: lambda video: video.id,
            VideoSort.LAST_UPDATED: lambda video: (video.updated_at, video.id),
            VideoSort.FIRST_UPDATED: lambda video: (video.updated_at, video.id),
            VideoSort.TITLE: lambda video: (video.title.encode(), video.id),
            VideoSort.LARGEST: lambda video: (video.size, video.id),
            VideoSort.SMALLEST: lambda video: (video.size, video.id),
        }
        passing = [video for video in self._videos if _passes(video, filters)]
        without = [video for video in passing if video.size is None and filters.sort.endswith("size")]
        placed = [video for video in passing if video not in without]
        placed.sort(key=keys[filters.sort], reverse=filters.sort.startswith("-"))
        return [video.id for video in placed + sorted(without, key=lambda video: video.id, reverse=True)]

    def ordered(self, ids: set[str], _: VideoFilters) -> list[str]:
        return sorted(ids, reverse=True)

    async def put(self, visibility: MediaVisibility = MediaVisibility.PUBLIC) -> str:
        video = new_video(new_id("vid"), tags=["x", "y"], visibility=visibility)
        await self._database.transact(video_store.put, None, video)
        return video.id

    async def put_hay(self) -> str:
        return await self.put(MediaVisibility.PROTECTED)

    async def tag(self, video_id: str, tags: list[str]) -> None:
        await self._other_node.transact(_change, video_id, tags, MediaVisibility.PROTECTED)

    async def write(self, chance: random.Random, ids: list[str]) -> None:
        database = chance.choice([self._database, self._other_node])
        if chance.random() < 0.2:
            ids.append(await self.put())
        else:
            tags, visibility = chance.sample(["x", "y", "z"], chance.randrange(4)), chance.choice(list(MediaVisibility))
            await database.transact(_change, chance.choice(ids), tags, visibility)

    async def check(self) -> None:
        pass


def new_video(video_id: str, **members: object) -> Video:
    now = clock.now_ms()
    made = {
        "id": VideoId(video_id), "space": LIBRARY, "provider_video_id": ProviderVideoId(video_id), "title": "t",
        "upload_id": video_id,
        "created_by": "ann", "created_at": now, "updated_at": now,
    }  # fmt: skip
    return msgspec.convert(made | members, Video)


def _passes(video: Video, filters: VideoFilters) -> bool:
    return (
        video.space in filters.spaces
        and filters.status in (None, video.status)
        and set(filters.tags) <= set(video.tags)
        and filters.visibility in (None, video.visibility)
        and (filters.created_after is None or time_of(video.id) >= filters.created_after)
        and (filters.created_before is None or time_of(video.id) < filters.created_before)
        and (filters.updated_after is None or video.updated_at >= filters.updated_after)
        and (filters.metadata is None or filters.metadata in video.metadata.items())
        and (filters.asked is None or has_words(Text(video.id, "", video.title, (), tuple(video.tags)), filters.asked))
        and (filters.asked is None or all(video.status == status for status in filters.asked.statuses))
    )


async def _change(tx: Tx, video_id: str, tags: list[str], visibility: MediaVisibility) -> None:
    video = await video_store.lock_known(tx, video_id)
    await video_store.put(tx, video, msgspec.structs.replace(video, tags=tags, visibility=visibility))
