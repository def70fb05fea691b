"""Images, files and videos of an export to the server. What the space has already, by its checksum, is not sent again.

An import leaves the checksum in the metadata `importedFrom`, by which it knows videos, and assets of its own. Names in
the export are looked up among the files of its folder, so that none leads to a file elsewhere.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_cli.media.found_files import LocalFile
from stowboard_cli.media.present import find_present
from stowboard_cli.media.sending import Wishes, checksum_of, send
from stowboard_cli.moving.export_media import MEDIA
from stowboard_cli.output.progress import Progress
from stowboard_cli.stow import Stow
from stowboard_cli.videos import send_video
from stowboard_client import ApiError, Asset, AssetFailed, Client, Video

_MARK, _MOST_CHECKSUMS = "importedFrom", 50
_CHECKSUM = re.compile("sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ExportedFile:
    media: Asset | Video
    #: From the line: the path in the folder, and the checksum of the bytes. Both are empty if the file was not fetched.
    file: str
    checksum: str


class FileLine(msgspec.Struct, frozen=True):
    """The outcome for an image, a file or a video of the export."""

    source: str
    outcome: str
    reason: str = ""
    kind: str = "media"


_MODELS = {"image": Asset, "file": Asset, "video": Video}


def read_media(lines: bytes) -> tuple[list[ExportedFile], bytes]:
    """The media of an export, and its other lines. Raises MsgspecError, KeyError or TypeError for other lines."""
    media, others = [], []
    for line in lines.splitlines(keepends=True):
        members = msgspec.json.decode(line)
        if members["kind"] not in _MODELS:
            others.append(line)
            continue
        file, checksum = str(members.get("file") or ""), str(members.get("checksum") or "")
        thing = msgspec.convert(members, _MODELS[members["kind"]])
        media.append(ExportedFile(thing, *((file, checksum) if file and _CHECKSUM.fullmatch(checksum) else ("", ""))))
    return media, b"".join(others)


def bring_media(
    stow: Stow, client: Client, folder: Path, files: Sequence[ExportedFile], ledger: list[Any]
) -> dict[str, str]:
    """Bring images, files and videos; returns their new ids by their ids in the export."""
    if not files:
        return {}
    there = {f"{MEDIA}/{path.name}": path for path in (folder / MEDIA).glob("*") if not path.is_symlink()}
    present = _find_assets(client, sorted({one.checksum for one in files if isinstance(one.media, Asset)} - {""}))
    progress = Progress(len(files), sum(one.media.size or 0 for one in files), stow.quiet)
    ids: dict[str, str] = {}
    for one in files:
        source, name = f"stow:{one.media.id}", one.file or one.media.id
        outcome, reason = "present", ""
        try:
            path = _checked(there.get(one.file), one.checksum)
            here = present.get(one.checksum) if isinstance(one.media, Asset) else _find_video(client, one.checksum)
            if here is None:
                outcome = "made"
                here = _send(client, one, path, partial(progress.reached, name))
            ids[one.media.id] = here.id
            if isinstance(here, Asset) and isinstance(one.media, Asset):
                present[one.checksum] = here
                _describe(client, one.media, here)
                if one.media.allowed_namespaces is not None and outcome == "made":
                    reason = "An admin says who may sign its address."
        except (ApiError, AssetFailed, CommandFailure) as refusal:
            if isinstance(refusal, ApiError) and (refusal.status in (401, 403) or refusal.status >= 500):
                raise  # the others would fail in the same way
            outcome, reason = "refused", str(refusal)
        ledger.append(FileLine(source, outcome, reason))
        progress.finished(name, outcome, one.media.size or 0)
    progress.end()
    return ids


def _checked(path: Path | None, checksum: str) -> Path:
    if path is None or not path.is_file():
        raise CommandFailure(INVALID, "The folder of the export does not have its file.")
    if checksum_of(path) != checksum:
        raise CommandFailure(INVALID, "Its file has changed since the export.")
    return path


def _find_assets(client: Client, checksums: Sequence[str]) -> dict[str, Asset]:
    starts = range(0, len(checksums), _MOST_CHECKSUMS)
    found = [find_present(client, checksums[start : start + _MOST_CHECKSUMS]) for start in starts]
    return {checksum: asset for some in found for checksum, asset in some.items()}


def _find_video(client: Client, checksum: str) -> Video | None:
    found = client.videos.list(metadata=(_MARK, checksum))
    return next((video for video in found if video.status in ("processing", "ready")), None)


def _send(client: Client, one: ExportedFile, path: Path, progress: Callable[[int], None]) -> Asset | Video:
    media, metadata = one.media, {**one.media.metadata, _MARK: one.checksum}
    visibility: Any = media.visibility
    if isinstance(media, Asset):
        kind: Any = media.kind
        wishes = Wishes(media.tags, visibility, kind=kind, metadata=metadata)
        return send(client, LocalFile(path, media.filename, path.stat().st_size), one.checksum, wishes, progress)
    return send_video(
        client, path, one.checksum, progress, title=media.title, tags=list(media.tags), visibility=visibility,
        mime_type=media.mime_type, metadata=metadata,
    )  # fmt: skip


def _describe(client: Client, media: Asset, here: Asset) -> None:
    """Give an imported asset the members that an upload cannot set, unless somebody has described it since."""
    described = media.alt or media.title or media.focal_point
    if described and here.metadata.get(_MARK) == here.checksum and not (here.alt or here.title or here.focal_point):
        client.assets.update(here.id, alt=media.alt, title=media.title, focal_point=media.focal_point)
