"""What the server has already, by checksums, so that it is not sent again, from whichever machine.

One question is about as many files as the API takes, which are hashed before it; of large files about fewer, so that
the first of them need not wait for the checksums of all.
"""

from collections.abc import Collection, Iterator, Sequence

from stowboard_cli.media.found_files import Found
from stowboard_client import Asset, Client

_MOST_FILES = 50
_ENOUGH_BYTES = 1024**3


def batches(files: Sequence[Found]) -> Iterator[list[Found]]:
    batch: list[Found] = []
    for file in files:
        batch.append(file)
        if len(batch) == _MOST_FILES or sum(one.size for one in batch) >= _ENOUGH_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def find_present(client: Client, checksums: Collection[str]) -> dict[str, Asset]:
    """At most 50. Of assets with the same bytes the newest."""
    found: dict[str, Asset] = {}
    while missing := [checksum for checksum in checksums if checksum not in found]:
        page = client.assets.list(checksum=missing, limit=100).page()
        for asset in page.items:
            found.setdefault(asset.checksum or "", asset)
        # There may be any number of assets with one of them; what is behind those is asked for without it.
        if not page.meta.has_more:
            break
    return found
