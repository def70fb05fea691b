"""No read or write of assets goes through a whole table, however many there are: the databases' own plans say so."""

import asyncio
import itertools
from collections import Counter
from typing import Any

import pytest

from stowboard.blobs.keys import new_key
from stowboard.core.clock import LATEST_MS
from stowboard.core.ids import id_at, part_of
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Database, Tx
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.db.scan import CANDIDATES
from stowboard.media.assets import asset_store, bulk, listing, tag_store, version_store
from stowboard.media.assets.asset_store import document_of
from stowboard.media.assets.bodies import AssetPatchBody
from stowboard.media.assets.bulk import TagAction
from stowboard.media.assets.listing import AssetFilters, AssetSort
from stowboard.media.assets.remove import remove_asset
from stowboard.media.assets.routes import edit_asset
from stowboard.media.base import stat_store
from stowboard.media.base.asset import Asset, AssetId, AssetKind, AssetStatus, MediaVisibility
from stowboard.media.batch_routes import delete_media, tag_media
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload, UploadId, UploadPurpose, UploadState
from stowboard.search.asked import read_query
from stowboard.search.index import store_of
from support.database.query_plans import Plan, plans_of
from support.media.asset_rows import ANN, asset_row

MANY = 10_000
#: Tables that grow with assets, and what statements call them.
LARGE = {"asset", "asset_version", "t", "asset_tag", "asset_tag_part", "content", "upload", "search_document", "d"}
START = 1_700_000_000_000
LISTS = [
    AssetFilters(kind=kind, tags=tags, status=status, created_after=created, sort=sort)
    for kind, tags, status, created, sort in itertools.product(
        [None, AssetKind.FILE], [(), ("common",), ("common", "rare")], [None, AssetStatus.PENDING, AssetStatus.FAILED],
        [None, START + 100], AssetSort,
    )
]  # fmt: skip
SEARCHES = [
    AssetFilters(asked=read_query(text), tags=tags, sort=sort)
    for text, tags, sort in itertools.product(["needle", "hay", "rare hay7", "nothing"], [(), ("rare",)], AssetSort)
]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def crowded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Asset]:
    """A database with many assets, a third of them pending, and one from the middle."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('plans')}/stowboard.db"
    else:
        url = request.getfixturevalue("postgres").create_database(template=request.getfixturevalue("migrated_template"))
    return url, asyncio.run(_crowd(url))


async def _crowd(url: str) -> Asset:
    database = await open_database(DatabaseSettings(url, statement_timeout=120))
    try:
        await migrate(database)
        assets = [_asset(number) for number in range(MANY)]
        await database.transact(_fill, assets)
        if database.dialect == "postgres":
            await database.read(_analyze)
        return assets[MANY // 2 + 1]
    finally:
        await database.close()


def _asset(number: int) -> Asset:
    return asset_row(
        id=AssetId(id_at("ast", START + 1000 * number)),
        kind=list(AssetKind)[number % 2],
        filename="needle" if number % 50 == 0 else f"hay{number}",
        tags=["common", f"tag{number}", *(["rare"] if number % 100 == 0 else [])],
        visibility=list(MediaVisibility)[number % 2],
        status=AssetStatus.PENDING
        if number % 3 == 0
        else AssetStatus.FAILED
        if number % 100 == 1
        else AssetStatus.READY,
        sha256=f"sha{number}",
        size=number,
        taken_at=START + number,
    )


async def _fill(tx: Tx, assets: list[Asset]) -> None:
    await tx.run_many(
        "INSERT INTO content (sha256, blob_key, size, created_at) VALUES ($1, $2, 1, 1)",
        [(asset.sha256, f"key-{asset.sha256}") for asset in assets],
    )
    columns = asset_store.COLUMNS
    await tx.run_many(
        f"INSERT INTO asset ({columns.names}) VALUES ({columns.parameters})",
        [columns.values(asset) for asset in assets],
    )
    await store_of(tx).put(tx, [document for asset in assets if (document := document_of(asset)) is not None])
    await store_of(tx).merge(tx, MANY - 100)
    listed = [
        (LIBRARY, tag, asset.id) for asset in assets if asset.status is not AssetStatus.PENDING for tag in asset.tags
    ]
    await tx.run_many("INSERT INTO asset_tag (space, tag, asset_id) VALUES ($1, $2, $3)", listed)
    await tag_store.change_counts(tx, Counter((space, tag, part_of(asset_id)) for space, tag, asset_id in listed))
    await tx.run_many(
        "INSERT INTO asset_version (asset_id, version, sha256, size, facts, sent_by, replaced_at)"
        " VALUES ($1, 1, $2, 1, '{}', 'ann', $3)",
        [(asset.id, asset.sha256, START + number) for number, asset in enumerate(assets)],
    )
    for number, asset in enumerate(assets[: MANY // 10]):
        await upload_store.insert(tx, _upload(number, asset), f"token{number}")


def _upload(number: int, asset: Asset) -> Upload:
    return Upload(
        id=UploadId(f"upl{number}"),
        purpose=UploadPurpose.ASSET,
        subject=asset.id,
        state=UploadState.OPEN if number % 100 == 0 else UploadState.COMPLETE,
        blob_key=new_key("asset"),
        space=LIBRARY,
        created_by="tests",
        made_through="",
        created_at=START,
        updated_at=START,
        expires_at=LATEST_MS,
    )


async def _analyze(tx: Tx) -> None:
    await tx.run("VACUUM ANALYZE")


async def explained(crowded: tuple[str, Asset], *works: tuple[Any, ...]) -> list[Plan]:
    database: Database = await open_database(DatabaseSettings(crowded[0]))
    try:
        return [plan for work, *args in works for plan in await plans_of(database, work, *args)]
    finally:
        await database.close()


def check(plans: list[Plan]) -> None:
    assert plans
    for plan in plans:
        # SQLite also calls it a scan to go along an index; that ends with the page.
        along = {step.split()[1] for step in plan.steps if step.startswith("SCAN ") and " INDEX " in step}
        assert not LARGE & (set(plan.scanned) - along), told(plan)


def position(asset: Asset, sort: AssetSort) -> tuple[Any, ...]:
    return tuple(getattr(asset, name) for name in listing.ORDERS[sort].names)


def told(plan: Plan) -> str:
    return f"{plan.sql}\n" + "\n".join(plan.steps)


async def test_a_list_reads_a_range_of_an_index_and_sorts_at_most_its_candidates(crowded: tuple[str, Asset]) -> None:
    middle = crowded[1]
    works = [(listing.list_assets, filters, position(middle, filters.sort), 50) for filters in LISTS]
    plans = await explained(crowded, *works)
    check(plans)
    for plan in plans:
        assert all(rows is not None and rows <= CANDIDATES for rows in plan.sorts), told(plan)


async def test_a_search_reads_no_table_as_a_whole(crowded: tuple[str, Asset]) -> None:
    check(await explained(crowded, *[(listing.list_assets, filters, None, 50) for filters in SEARCHES]))


#: The index that a list must go by, where neither status nor tags narrow it.
INDEXES = {
    AssetSort.NEWEST: "asset_listed", AssetSort.OLDEST: "asset_listed", AssetSort.LAST_UPDATED: "asset_by_update",
    AssetSort.FIRST_UPDATED: "asset_by_update", AssetSort.FILENAME: "asset_by_filename",
    AssetSort.LARGEST: "asset_by_size", AssetSort.SMALLEST: "asset_by_size",
    AssetSort.LAST_TAKEN: "asset_by_taken", AssetSort.FIRST_TAKEN: "asset_by_taken",
}  # fmt: skip


@pytest.mark.parametrize("sort", list(AssetSort))
async def test_neither_pending_nor_listed_assets_are_in_the_way_of_each_other(
    crowded: tuple[str, Asset], sort: AssetSort
) -> None:
    """A filter on the rows of a shared index would pass over any number of the others."""
    unready = "asset_by_status" if INDEXES[sort] == "asset_listed" else INDEXES[sort].replace("_by", "_unready_by")
    after = position(crowded[1], sort)
    for statuses, index in (([None], INDEXES[sort]), ([AssetStatus.PENDING, AssetStatus.FAILED], unready)):
        asked = [AssetFilters(status=status, sort=sort) for status in statuses]
        works = [(listing.list_assets, filters, start, 50) for filters in asked for start in (None, after)]
        for plan in await explained(crowded, *works):
            assert index in " ".join(plan.steps) or "taken_at IS NULL" in plan.sql, told(plan)


async def test_a_checksum_has_an_index_of_its_own(crowded: tuple[str, Asset]) -> None:
    for many in (1, 50):
        filters = AssetFilters(sha256=tuple(f"sha{number}" for number in range(many)))
        for plan in await explained(crowded, (listing.list_assets, filters, None, 50)):
            assert "asset_by_content" in " ".join(plan.steps), told(plan)


async def test_a_kind_has_an_index_of_its_own(crowded: tuple[str, Asset]) -> None:
    for plan in await explained(crowded, (listing.list_assets, AssetFilters(kind=AssetKind.FILE), None, 50)):
        assert "asset_by_kind" in " ".join(plan.steps), told(plan)


async def test_tags_and_figures_are_read_without_looking_at_assets(crowded: tuple[str, Asset]) -> None:
    plans = await explained(
        crowded,
        (tag_store.list_counts, LIBRARY, ("tag5",), 50),
        (tag_store.list_counts, LIBRARY, None, 50),
        (stat_store.read, LIBRARY, "asset"),
        (upload_store.count_active, LIBRARY, 1000),
    )
    check(plans)
    assert all(not plan.sorts for plan in plans if "asset_tag_part" in plan.sql)
    assert all("upload_open" in " ".join(plan.steps) for plan in plans if "FROM upload" in plan.sql)


async def test_the_trash_and_versions_are_found_by_indexes_of_their_own(crowded: tuple[str, Asset]) -> None:
    works: dict[tuple[Any, ...], str] = {
        (listing.list_trashed_assets, (LIBRARY,), None, 50): "asset_trashed",
        (listing.list_trashed_assets, (LIBRARY, "ann"), (START, crowded[1].id), 50): "asset_trashed",
        (asset_store.find_purgeable, START, 50): "asset_",
        (version_store.find_old, START, 50): "asset_version_by_time",
        (asset_store.find_some, "ann", 50): "asset_",
    }
    for work, index in works.items():
        plans = await explained(crowded, work)
        check(plans)
        assert all(index in " ".join(plan.steps) for plan in plans), list(map(told, plans))


async def test_a_write_touches_only_what_is_its_own(crowded: tuple[str, Asset]) -> None:
    some = crowded[1].id
    check(
        await explained(
            crowded,
            (asset_store.get, ANN, some),
            (bulk.find_assets, ANN, [some, "ast_" + "0" * 26]),
            (
                edit_asset,
                ANN,
                some,
                AssetPatchBody(tags=["new"], title="u", visibility=MediaVisibility.PROTECTED),
                None,
            ),
            (tag_media, ANN, TagAction.ADD, [some], ["common", "new"]),
            (remove_asset, ANN, some, None),
            (delete_media, ANN, [some, "ast_" + "0" * 26]),
        )
    )
