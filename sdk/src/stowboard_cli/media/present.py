"""Finds files that the server already has, by their checksums. They are not sent again, from any machine.

One request asks about as many files as the API takes, or about fewer large ones, so that the first can be sent before
all checksums are known.
"""

from collections.abc import Collection, Iterator, Sequence

from stowboard_cli.media.found_files import LocalFile
from stowboard_client import Asset, Client

_MOST_FILES = 50
_ENOUGH_BYTES = 1024**3


def batches(files: Sequence[LocalFile]) -> Iterator[list[LocalFile]]:
    batch: list[LocalFile] = []
    for file in files:
        batch.append(file)
        if len(batch) == _MOST_FILES or sum(one.size for one in batch) >= _ENOUGH_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def find_present(client: Client, checksums: Collection[str]) -> dict[str, Asset]:
    """The newest asset with each of at most 50 checksums."""
    found: dict[str, Asset] = {}
    while missing := [checksum for checksum in checksums if checksum not in found]:
        page = client.assets.list(checksum=missing, limit=100).page()
        for asset in page.items:
            found.setdefault(asset.checksum or "", asset)
        # Many assets may have the same checksum and fill the page; the next request asks only for the others.
        if not page.meta.has_more:
            break
    return found
