"""Lists of assets, and what a naive reading of their filters and orders gives."""

import random
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from stowboard.core.clock import LATEST_MS
from stowboard.core.cursor import Position
from stowboard.core.ids import id_at
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Database
from stowboard.media.assets.bodies import AssetPatchBody
from stowboard.media.assets.listing import AssetFilters, AssetSort, list_assets
from stowboard.media.assets.routes import edit_asset
from stowboard.media.base.asset import Asset, AssetId, AssetKind, AssetStatus, MediaVisibility
from stowboard.search.asked import read_query
from support.media.asset_rows import ANN, check_counts, put_asset, write_something
from support.search.plain_scan import Text, has_words

NEEDLE = read_query("needle")
START = 1_700_000_000_000
TAGS = ["a", "A", 'q"a', "b\\", "[", "日本"]
NAMES = ["needle.png", "NEEDLE in hay.jpg", "50% _x!.pdf", "50% ax!.pdf", "Straße.webp", "a.png", "Z.png", "é.png"]
#: One, another, and several as a merge; nothing is in the last one.
SPACES = [(LIBRARY,), ("ann",), ("ann", LIBRARY, "spc_1", "spc_2"), ("spc_2",)]
TYPES = ["image/png", "image/jpeg", "application/pdf", "imagex/png", "text/x_y", "text/xzy"]


def seldom(*values: Any) -> st.SearchStrategy[Any]:
    """Mostly nothing: with all filters at once, nothing would ever pass."""
    return st.one_of(st.none(), st.none(), st.sampled_from(values))


class AssetLists:
    FILTERS = st.builds(
        AssetFilters,
        spaces=st.sampled_from(SPACES),
        kind=seldom(*AssetKind),
        tags=st.lists(st.sampled_from([*TAGS, "nobody's"]), max_size=2, unique=True).map(tuple),
        mime_type=seldom("image/*", "image/png", "text/x_y", "video/*"),
        visibility=seldom(*MediaVisibility),
        status=seldom(*AssetStatus),
        asked=seldom(*map(read_query, ["needle", "0% _", "STRASSE", "école", "-needle", "status:ready", "in hay"])),
        created_after=seldom(0, START, START + 7, START + 20),
        created_before=seldom(0, START + 7, START + 20, LATEST_MS),
        sort=st.sampled_from(list(AssetSort)),
        updated_after=seldom(START, START + 2, START + 9),
        sha256=seldom(("a" * 64,), ("b" * 64, "a" * 64)).map(lambda some: some or ()),
        metadata=seldom(("order", "1"), ("order", "3")),
    )
    #: No list of assets has an empty page while more follow.
    #: By creation: in the other orders, who changes may be seen twice.
    THROUGHOUT = tuple(
        replace(filters, sort=sort)
        for filters in (
            AssetFilters(),
            AssetFilters(tags=("x", "y")),
            AssetFilters(asked=NEEDLE),
            AssetFilters(kind=AssetKind.IMAGE),
            AssetFilters(tags=("x",), asked=NEEDLE),
        )
        for sort in (AssetSort.NEWEST, AssetSort.OLDEST)
    )

    NEEDLES = (AssetFilters(tags=("x",), asked=NEEDLE),)

    def __init__(self, database: Database, other_node: Database) -> None:
        self._database, self._other_node = database, other_node
        self._assets: list[Asset] = []

    async def open(self) -> None:
        pass

    async def populate(self) -> None:
        chance = random.Random(7)
        self._assets = [
            await put_asset(
                self._database,
                id=AssetId(id_at("ast", START + number // 3)),
                kind=chance.choice(list(AssetKind)),
                space=chance.choice([LIBRARY, LIBRARY, "ann", "spc_1"]),
                filename=chance.choice(NAMES),
                title=chance.choice([None, "needle", "Hay"]),
                alt=chance.choice([None, "ÉCOLE"]),
                tags=chance.sample(TAGS, chance.randrange(4)),
                visibility=chance.choice(list(MediaVisibility)),
                metadata=chance.choice([{}, {"order": "1"}, {"order": "2", "Order": "1"}]),
                status=(status := chance.choice(list(AssetStatus))),
                sha256=None if status is AssetStatus.PENDING else chance.choice([None, "a" * 64, "b" * 64]),
                mime_type=chance.choice(TYPES),
                size=chance.choice([0, 1, 5, 2**40]),
                updated_at=START + chance.randrange(5),
                taken_at=chance.choice([None, *range(5)]),
            )
            for number in range(60)
        ]

    async def page(self, filters: AssetFilters, after: Position | None, size: int) -> tuple[list[str], Position | None]:
        listed = await self._database.read(list_assets, filters, after, size)
        return [asset.id for asset in listed.items], listed.end

    def expected(self, filters: AssetFilters) -> list[str]:
        keys: dict[AssetSort, Any] = {
            AssetSort.NEWEST: lambda asset: asset.id,
            AssetSort.OLDEST: lambda asset: asset.id,
            AssetSort.LAST_UPDATED: lambda asset: (asset.updated_at, asset.id),
            AssetSort.FIRST_UPDATED: lambda asset: (asset.updated_at, asset.id),
            AssetSort.FILENAME: lambda asset: (asset.filename.encode(), asset.id),
            AssetSort.LARGEST: lambda asset: (asset.size, asset.id),
            AssetSort.SMALLEST: lambda asset: (asset.size, asset.id),
            AssetSort.LAST_TAKEN: lambda asset: (asset.taken_at, asset.id),
            AssetSort.FIRST_TAKEN: lambda asset: (asset.taken_at, asset.id),
        }
        passing = [asset for asset in self._assets if _passes(asset, filters)]
        undated: list[Asset] = []
        if filters.sort in (AssetSort.FIRST_TAKEN, AssetSort.LAST_TAKEN):  # those without a date last, newest first
            undated = sorted((asset for asset in passing if asset.taken_at is None), key=keys[AssetSort.NEWEST])[::-1]
            passing = [asset for asset in passing if asset.taken_at is not None]
        ordered = sorted(passing, key=keys[filters.sort], reverse=filters.sort.startswith("-"))
        return [asset.id for asset in [*ordered, *undated]]

    def ordered(self, ids: set[str], filters: AssetFilters) -> list[str]:
        return sorted(ids, reverse=filters.sort is AssetSort.NEWEST)

    async def put(self, filename: str = "needle") -> str:
        return (await put_asset(self._database, filename=filename, tags=["x", "y"])).id

    async def put_hay(self) -> str:
        return await self.put("hay")

    async def tag(self, asset_id: str, tags: list[str]) -> None:
        await self._other_node.transact(edit_asset, ANN, asset_id, AssetPatchBody(tags=tags), None)

    async def write(self, chance: random.Random, ids: list[str]) -> None:
        await write_something(chance.choice([self._database, self._other_node]), chance, ids, ["x", "y", "z"])

    async def check(self) -> None:
        await check_counts(self._database)


def _passes(asset: Asset, filters: AssetFilters) -> bool:
    text = Text(asset.id, "", asset.filename, (asset.title or "", asset.alt or ""), tuple(asset.tags))
    family, _, sub = (filters.mime_type or "*/*").partition("/")
    return (
        asset.space in filters.spaces
        and (asset.status is filters.status if filters.status else asset.status is not AssetStatus.PENDING)
        and (filters.kind is None or asset.kind is filters.kind)
        and (filters.visibility is None or asset.visibility is filters.visibility)
        and set(filters.tags) <= set(asset.tags)
        and (family == "*" or asset.mime_type.split("/")[0] == family)
        and (sub == "*" or asset.mime_type.split("/")[1] == sub)
        and (filters.asked is None or has_words(text, filters.asked))
        and (filters.asked is None or all(asset.status == status for status in filters.asked.statuses))
        and (filters.created_after is None or asset.created_at >= filters.created_after)
        and (filters.created_before is None or asset.created_at < filters.created_before)
        and (filters.updated_after is None or asset.updated_at >= filters.updated_after)
        and (not filters.sha256 or asset.sha256 in filters.sha256)
        and (filters.metadata is None or filters.metadata in asset.metadata.items())
    )
