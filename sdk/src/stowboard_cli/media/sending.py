"""One file to the server, once.

A small file goes in one request, a large one in pieces. The idempotency key is made of the file and of its tags and
visibility, so for a day the same command finds the same upload again, from any machine, and sends only the rest.
"""

import hashlib
import mimetypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from msgspec import UNSET

from stowboard_cli.media.found_files import LocalFile
from stowboard_client import Asset, Client, errors

INLINE = 4 * 1024 * 1024
_BLOCK = 1024 * 1024
_WAIT_SECONDS = 3600.0
#: The key of an upload whose asset was deleted still answers with that asset, so another key is tried.
MOST_KEYS = 100


@dataclass(frozen=True, slots=True)
class Wishes:
    tags: Sequence[str] = ()
    visibility: Literal["public", "protected"] | None = None
    #: Part of the key. A new text sends files again that the server has already.
    again: str = ""
    #: By default the installation says which files are images.
    kind: Literal["image", "file"] | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def members(self) -> dict[str, Any]:
        given: dict[str, Any] = {"tags": list(self.tags)} if self.tags else {}
        given |= {"metadata": dict(self.metadata)} if self.metadata else {}
        return given | ({"visibility": self.visibility} if self.visibility else {})


def send(client: Client, file: LocalFile, checksum: str, wishes: Wishes, progress: Callable[[int], None]) -> Asset:
    """Raises StowboardError."""
    for attempt in range(MOST_KEYS):
        key = _key(client.space, file, checksum, wishes, attempt)
        try:
            return _upload(client, file, checksum, wishes, key, progress)
        except (errors.NotFound, errors.UploadGone):
            continue  # the asset of this key was deleted
    raise AssertionError("a hundred uploads of one file, and all of them gone")


def checksum_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return f"sha256:{digest.hexdigest()}"


def _upload(
    client: Client, file: LocalFile, checksum: str, wishes: Wishes, key: str, progress: Callable[[int], None]
) -> Asset:
    kind = wishes.kind or client.uploads.kind_of(file.name)
    if file.size <= INLINE:
        upload = client.uploads.image if kind == "image" else client.uploads.file
        asset = upload(file.name, file.path.read_bytes(), idempotency_key=key, **wishes.members)
        progress(file.size)
        return client.assets.get(asset.id)
    mime_type = mimetypes.guess_type(file.name)[0] or UNSET
    begun = client.uploads.presigned(
        file.name, file.size, kind=kind, mime_type=mime_type, checksum=checksum, idempotency_key=key, **wishes.members
    )
    client.uploads.send(begun, file.path, progress=lambda sent, _: progress(sent))
    return client.uploads.wait_until_ready(begun.id, _WAIT_SECONDS)


def _key(space: str | None, file: LocalFile, checksum: str, wishes: Wishes, attempt: int) -> str:
    members = (sorted(wishes.tags), wishes.visibility, wishes.kind, sorted(wishes.metadata.items()))
    said = (space, file.name, checksum, members, wishes.again, attempt)
    return f"stow-{hashlib.sha256(repr(said).encode()).hexdigest()}"
