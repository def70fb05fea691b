"""Assets without a server and without bytes: rows as an upload leaves them, on a database."""

import contextlib
import random
from functools import partial
from typing import Any

import msgspec

from stowboard.blobs.keys import new_key
from stowboard.core.caller import Access, Caller, TokenId, TokenKind
from stowboard.core.errors import InTrash
from stowboard.core.ids import new_id, time_of
from stowboard.core.reach import LIBRARY, Reach, Role
from stowboard.db.database import Database, Tx
from stowboard.media.assets import asset_store, content_store
from stowboard.media.assets.bodies import AssetPatchBody
from stowboard.media.assets.bulk import TagAction
from stowboard.media.assets.remove import remove_asset
from stowboard.media.assets.routes import edit_asset
from stowboard.media.base.asset import Asset, AssetId, AssetKind, AssetStatus
from stowboard.media.base.errors import AssetNotFound
from stowboard.media.batch_routes import move_media, tag_media

ANN = Access(
    Caller(TokenId("tok_1"), "ann", frozenset({"media:write"}), None, TokenKind.AUTOMATION, Reach.of_owner("ann")),
    Role.EDITOR,
)


def asset_row(**members: Any) -> Asset:
    asset_id = members.pop("id", AssetId(new_id("ast")))
    defaults: dict[str, Any] = {
        "space": LIBRARY, "kind": AssetKind.IMAGE, "filename": "a.png", "status": AssetStatus.READY,
        "mime_type": "image/png", "size": 10,
        "created_by": "tests", "sent_by": "tests", "updated_at": time_of(asset_id),
    }  # fmt: skip
    return Asset(id=asset_id, **{**defaults, **members})


async def put_asset(database: Database, **members: Any) -> Asset:
    """A new asset; with `sha256`, it has those bytes, as any other that was given the same."""
    return await database.transact(_put, asset_row(**members))


async def _put(tx: Tx, asset: Asset) -> Asset:
    if asset.sha256 is not None:
        key = await content_store.claim(tx, asset.sha256, new_key("asset"), asset.size)
        asset = msgspec.structs.replace(asset, blob_key=key)
    await asset_store.put(tx, None, asset)
    return asset


async def write_something(database: Database, chance: random.Random, ids: list[str], tags: list[str]) -> None:
    """One write, of a kind that chance picks. An asset that another writer has deleted is passed over."""
    asset_id = chance.choice(ids)
    with contextlib.suppress(AssetNotFound, InTrash):
        match chance.randrange(7):
            case 0:
                new = await put_asset(database, filename=f"needle{chance.random()}.png", tags=chance.sample(tags, 2))
                ids.append(new.id)
            case 1:
                body = AssetPatchBody(filename=chance.choice(["needle.png", "hay.png"]), tags=chance.sample(tags, 1))
                await database.transact(edit_asset, ANN, asset_id, body, None)
            case 2:
                some = chance.sample(ids, min(4, len(ids)))
                await database.transact(tag_media, ANN, TagAction.ADD, some, chance.sample(tags, 2))
            case 3:
                some = chance.sample(ids, min(4, len(ids)))
                await database.transact(tag_media, ANN, TagAction.REMOVE, some, chance.sample(tags, 2))
            case 4:
                await database.transact(remove_asset, ANN, asset_id, None)
            case 5 | 6 as number:
                some = chance.sample(ids, min(4, len(ids)))
                await database.transact(partial(move_media, to_trash=number == 5), ANN, some)


async def check_counts(database: Database) -> None:
    """Tags, their counts and the statistics say what the assets say, and nothing else."""
    await database.transact(_check_counts)


async def _check_counts(tx: Tx) -> None:
    rows = await tx.all(f"SELECT {asset_store.COLUMNS.names} FROM asset ORDER BY id FOR UPDATE")
    assets = [asset_store.COLUMNS.read(row) for row in rows]
    trash, assets = [a for a in assets if a.trashed_at is not None], [a for a in assets if a.trashed_at is None]
    tags = sorted((a.space, tag, a.id) for a in assets if a.status is not AssetStatus.PENDING for tag in a.tags)
    assert sorted(map(tuple, await tx.all("SELECT space, tag, asset_id FROM asset_tag"))) == tags
    names = [(space, tag) for space, tag, _ in tags]
    counts = sorted((*name, names.count(name)) for name in set(names))
    assert sorted(map(tuple, await tx.all("SELECT space, tag, sum(count) FROM asset_tag_part GROUP BY 1, 2"))) == counts
    kinds = sorted({(one.space, one.kind.value, one.status.value) for one in assets})
    stats = [
        (*told, len(sizes), sum(sizes))
        for told in kinds
        if (sizes := [one.size for one in assets if (one.space, one.kind, one.status) == told])
    ]
    found = await tx.all(
        "SELECT space, kind, status, sum(count), sum(bytes) FROM media_stat_part WHERE resource = 'asset'"
        " GROUP BY 1, 2, 3 HAVING sum(count) > 0"
    )
    assert sorted(map(tuple, found)) == stats
    other = "SELECT COALESCE(sum(count), 0), COALESCE(sum(bytes), 0) FROM media_stat_part WHERE resource = $1"
    assert [tuple(row) for row in await tx.all(other, "trash")] == [(len(trash), sum(a.size for a in trash))]
    versions = [tuple(row) for row in await tx.all("SELECT count(*), COALESCE(sum(size), 0) FROM asset_version")]
    assert [tuple(row) for row in await tx.all(other, "version")] == versions
    used = await tx.all("SELECT COALESCE(sum(bytes), 0), COALESCE(sum(spare), 0) FROM media_usage_part")
    spare = versions[0][1] + sum(a.size for a in trash)
    assert [tuple(row) for row in used] == [(spare + sum(a.size for a in assets), spare)]
