"""Send a video. If it is cut off, the same command goes on where it was, for a day.

It ends when the server has all bytes; with --wait when the video can be played.
"""

import hashlib
import mimetypes
from argparse import ArgumentParser, Namespace
from pathlib import Path

from msgspec import UNSET

from stowboard_cli.media.sending import checksum_of
from stowboard_cli.output.progress import Progress
from stowboard_cli.stow import Stow
from stowboard_client import Video, errors

_MOST_KEYS = 100


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--title", help="by default the file's name")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG")
    parser.add_argument("--public", action="store_true", help="for everybody; by default a signed address is needed")
    parser.add_argument("--wait", action="store_true", help="until it can be played")


def run(stow: Stow, given: Namespace) -> None:
    checksum = checksum_of(given.file)
    for attempt in range(_MOST_KEYS):
        try:
            video = _send(stow, given, f"{checksum}{attempt}")
            break
        except (errors.NotFound, errors.UploadGone):
            continue  # begun before, and gone since
    stow.show(stow.client.videos.wait_until_ready(video.id, 24 * 3600.0) if given.wait else video)


def _send(stow: Stow, given: Namespace, file: str) -> Video:
    videos, size = stow.client.videos, given.file.stat().st_size
    title = given.title or given.file.stem
    key = hashlib.sha256(repr((stow.client.space, file, title, given.tag, given.public)).encode()).hexdigest()
    video = videos.create(
        title, tags=given.tag, size=size, visibility="public" if given.public else UNSET,
        mime_type=mimetypes.guess_type(given.file.name)[0] or UNSET, idempotency_key=f"stow-{key}",
    )  # fmt: skip
    if videos.get(video.id).status in ("awaiting_upload", "uploading"):
        progress = Progress(1, size, stow.quiet)
        videos.send(
            video.tus_upload_url or "", given.file,
            progress=lambda sent, _: progress.reached(given.file.name, sent),
        )  # fmt: skip
        progress.finished(given.file.name, "uploaded", size)
        progress.end()
    return videos.finalize(video.id)
