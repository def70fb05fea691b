"""Assets as documents of search."""

from stowboard.media.base.asset import Asset
from stowboard.search.document import ASSETS, SearchDocument, describe


def document_of(asset: Asset | None) -> SearchDocument | None:
    if asset is None:
        return None
    texts = (asset.original_name, asset.alt, asset.title and asset.filename)
    return describe(asset.id, ASSETS, asset.title or asset.filename, texts, asset.tags)
