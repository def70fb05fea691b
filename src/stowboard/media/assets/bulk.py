"""Many assets by their ids. Ids that no asset in reach has are not an error."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from stowboard.core.caller import Access
from stowboard.core.errors import TooManyItems
from stowboard.db.database import Tx
from stowboard.media.assets import asset_store
from stowboard.media.base.asset import Asset

MAX_IDS = 100


class TagAction(StrEnum):
    ADD = "add"
    REMOVE = "remove"


async def find_assets(tx: Tx, access: Access, ids: Sequence[str]) -> tuple[list[Asset], list[str]]:
    """Assets in the order of the ids, each once, and the ids that no asset has. Raises TooManyItems."""
    wanted = checked_ids(ids)
    found = await asset_store.find_many(tx, access, wanted)
    return sorted(found, key=lambda asset: wanted.index(asset.id)), missing(wanted, found)


def checked_ids(ids: Sequence[str]) -> list[str]:
    if len(ids) > MAX_IDS:
        raise TooManyItems(f"ids: expected at most {MAX_IDS}.")
    return list(dict.fromkeys(ids))


def missing(wanted: list[str], found: Sequence[Any]) -> list[str]:
    """The ids that none of those that were found has."""
    known = {each.id for each in found}
    return [subject for subject in wanted if subject not in known]
