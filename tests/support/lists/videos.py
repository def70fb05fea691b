"""Lists of videos, and what a naive reading of their filters gives."""

import random

import msgspec
from hypothesis import strategies as st

from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.ids import new_id
from stowboard.db.database import Database, Tx
from stowboard.media.base.asset import Visibility
from stowboard.media.videos import video_store
from stowboard.media.videos.listing import VideoFilters, list_videos
from stowboard.media.videos.video import ProviderVideoId, Video, VideoId, VideoStatus
from stowboard.search.asked import read_query
from support.search.plain_scan import Text, has_words

TAGS = ["a", "b", "c"]


class VideoLists:
    FILTERS = st.builds(
        VideoFilters,
        status=st.none() | st.sampled_from(list(VideoStatus)),
        tags=st.lists(st.sampled_from([*TAGS, "nobody's"]), max_size=3, unique=True).map(tuple),
        visibility=st.none() | st.sampled_from(list(Visibility)),
        metadata=st.sampled_from([None, None, ("order", "1"), ("order", "3")]),
        asked=st.sampled_from([None, *map(read_query, ["needle", "vid", "-needle", "status:ready needle"])]),
    )
    NOTHING = ((VideoFilters(tags=("a", "nobody's")), VideoFilters(tags=("a",))),)
    THROUGHOUT = (
        VideoFilters(),
        VideoFilters(tags=("x",)),
        VideoFilters(tags=("x", "y")),
        VideoFilters(visibility=Visibility.PUBLIC),
        VideoFilters(tags=("x",), visibility=Visibility.PUBLIC),
    )

    NEEDLES = (VideoFilters(tags=("x",), visibility=Visibility.PUBLIC),)

    def __init__(self, database: Database, other_node: Database) -> None:
        self._database, self._other_node = database, other_node
        self._videos: list[Video] = []

    async def open(self) -> None:
        pass

    async def populate(self) -> None:
        chance = random.Random(7)
        self._videos = [
            new_video(
                new_id("vid"),
                tags=chance.sample(TAGS, chance.randrange(4)),
                status=chance.choice(list(VideoStatus)),
                visibility=chance.choice(list(Visibility)),
                metadata=chance.choice([{}, {"order": "1"}, {"order": "2", "Order": "1"}]),
                title=chance.choice(["needle in a video", "hay"]),
            )
            for _ in range(60)
        ]
        for video in self._videos:
            await self._database.transact(video_store.put, None, video)

    async def page(self, filters: VideoFilters, after: Position | None, size: int) -> tuple[list[str], Position | None]:
        listed = await self._database.read(list_videos, filters, after, size)
        return [video.id for video in listed.items], listed.end

    def expected(self, filters: VideoFilters) -> list[str]:
        return [video.id for video in reversed(self._videos) if _passes(video, filters)]

    def ordered(self, ids: set[str], _: VideoFilters) -> list[str]:
        return sorted(ids, reverse=True)

    async def put(self, visibility: Visibility = Visibility.PUBLIC) -> str:
        video = new_video(new_id("vid"), tags=["x", "y"], visibility=visibility)
        await self._database.transact(video_store.put, None, video)
        return video.id

    async def put_hay(self) -> str:
        return await self.put(Visibility.PROTECTED)

    async def tag(self, video_id: str, tags: list[str]) -> None:
        await self._other_node.transact(_change, video_id, tags, Visibility.PROTECTED)

    async def write(self, chance: random.Random, ids: list[str]) -> None:
        database = chance.choice([self._database, self._other_node])
        if chance.random() < 0.2:
            ids.append(await self.put())
        else:
            tags, visibility = chance.sample(["x", "y", "z"], chance.randrange(4)), chance.choice(list(Visibility))
            await database.transact(_change, chance.choice(ids), tags, visibility)

    async def check(self) -> None:
        pass


def new_video(video_id: str, **members: object) -> Video:
    now = clock.now_ms()
    made = {
        "id": VideoId(video_id), "provider_video_id": ProviderVideoId(video_id), "title": "t", "upload_id": video_id,
        "created_by": "ann", "created_at": now, "updated_at": now,
    }  # fmt: skip
    return msgspec.convert(made | members, Video)


def _passes(video: Video, filters: VideoFilters) -> bool:
    return (
        filters.status in (None, video.status)
        and set(filters.tags) <= set(video.tags)
        and filters.visibility in (None, video.visibility)
        and (filters.metadata is None or filters.metadata in video.metadata.items())
        and (filters.asked is None or has_words(Text(video.id, "", video.title, (), tuple(video.tags)), filters.asked))
        and (filters.asked is None or all(video.status == status for status in filters.asked.statuses))
    )


async def _change(tx: Tx, video_id: str, tags: list[str], visibility: Visibility) -> None:
    video = await video_store.lock(tx, video_id)
    await video_store.put(tx, video, msgspec.structs.replace(video, tags=tags, visibility=visibility))
