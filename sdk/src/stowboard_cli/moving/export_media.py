"""Images, files and videos into the folder of an export. One that is there already is not fetched again.

A file is named after its id, so no name that other people chose can lead out of the folder. The line of a file has all
of its members, `file`, and `checksum`, also for a video.
"""

import mimetypes
import re
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from stowboard_cli.exits import CommandFailure, failure_of
from stowboard_cli.media.batches import batches
from stowboard_cli.media.download import fetch_file
from stowboard_cli.media.sending import checksum_of
from stowboard_cli.output.harmless import tell
from stowboard_cli.output.progress import Progress
from stowboard_cli.stow import Stow
from stowboard_client import ApiError, Asset, Client, Video, errors

LINES, MEDIA = "export.jsonl", "media"
_LONGEST_STEM, _LONGEST_SUFFIX = 60, 12
#: Members with addresses that are signed for a while; an export leaves them empty.
_SIGNED = ("thumbnailUrl", "posterUrl")


def export_media(
    stow: Stow, client: Client, folder: Path, attached: Collection[str]
) -> tuple[list[dict[str, Any]], int]:
    """The lines of all media of the space and of what its tasks have attached, and how many could not be fetched."""
    (folder / MEDIA).mkdir(parents=True, exist_ok=True)
    found = _find(client, attached)
    progress = Progress(len(found), sum(one.size or 0 for one in found), stow.quiet)
    lines, failed = [], 0
    for one in found:
        line = msgspec.to_builtins(one)
        line |= {"kind": line.get("kind", "video")} | {name: None for name in _SIGNED if name in line}
        name = f"{MEDIA}/{_name(one)}"
        try:
            checksum, outcome = _fetch(client, one, folder / name, partial(progress.reached, name))
        except (ApiError, CommandFailure) as error:
            failed += 1
            tell(f"stow: {one.id}: {failure_of(error)}")
        else:
            line |= {"file": name, "checksum": checksum}
            progress.finished(name, outcome, one.size or 0)
        lines.append(line)
    progress.end()
    return lines, failed


def _find(client: Client, attached: Collection[str]) -> list[Asset | Video]:
    """Assets and videos that have bytes. What tasks have attached may be in the Library."""
    found: dict[str, Asset | Video] = {one.id: one for one in client.assets.list()}
    found |= {one.id: one for one in client.videos.list()}
    for ids in batches([one for one in attached if one not in found]):
        answer = client.assets.by_ids(ids)
        found |= {one.id: one for one in answer.items}
        for video_id in answer.meta.missing:
            try:
                found[video_id] = client.videos.get(video_id)
            except errors.NotFound:
                continue
    return [one for one in found.values() if _has_bytes(one)]


def _has_bytes(one: Asset | Video) -> bool:
    if isinstance(one, Asset):
        return one.url is not None and one.checksum is not None
    return one.status in ("processing", "ready") and one.trashed_at is None


def _fetch(client: Client, one: Asset | Video, path: Path, progress: Callable[[int], None]) -> tuple[str, str]:
    """The checksum, and whether it was there. A video's bytes never change, so its size says whether it is whole."""
    if isinstance(one, Asset):
        if path.is_file() and checksum_of(path) == one.checksum:
            return one.checksum, "present"
        return fetch_file(client.delivery.url(one.id).url, path, one.checksum, progress), "fetched"
    if path.is_file() and path.stat().st_size == one.size:
        return checksum_of(path), "present"
    url = client.videos.signed_url(one.provider_video_id).mp4_url
    return fetch_file(url or "", path, None, progress), "fetched"


def _name(one: Asset | Video) -> str:
    if isinstance(one, Asset):
        title, suffix = PurePosixPath(one.filename).stem, PurePosixPath(one.filename).suffix
    else:
        title, suffix = one.title, mimetypes.guess_extension(one.mime_type or "") or ""
    name = f"{one.id}-{title}"[:_LONGEST_STEM] + suffix[:_LONGEST_SUFFIX]
    return re.sub(r"[^\w.-]+", "_", name).rstrip(".")
