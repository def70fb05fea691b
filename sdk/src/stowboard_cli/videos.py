"""Commands for videos."""

import hashlib
import mimetypes
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import UNSET

from stowboard_cli.media.sending import MOST_KEYS, checksum_of
from stowboard_cli.output.progress import Progress
from stowboard_cli.stow import Stow
from stowboard_client import Client, Video, errors

_LONGEST_WAIT_SECONDS = 24 * 3600.0


def upload_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--title", help="by default the file's name")
    parser.add_argument("--tag", action="append", default=[], metavar="TAG")
    parser.add_argument("--public", action="store_true", help="for everybody; by default a signed address is needed")
    parser.add_argument("--wait", action="store_true", help="until it can be played")


def upload(stow: Stow, given: Namespace) -> None:
    """Send a video. If the command is cut off, the same command goes on where it was, for a day.

    The command ends when the server has all bytes; with --wait, when the video can be played.
    """
    file, size = given.file, given.file.stat().st_size
    progress = Progress(1, size, stow.quiet)
    video = send_video(
        stow.client, file, checksum_of(file), lambda sent: progress.reached(file.name, sent),
        title=given.title or file.stem, tags=given.tag, visibility="public" if given.public else UNSET,
        mime_type=mimetypes.guess_type(file.name)[0] or UNSET,
    )  # fmt: skip
    progress.finished(file.name, "uploaded", size)
    progress.end()
    stow.show(stow.client.videos.wait_until_ready(video.id, _LONGEST_WAIT_SECONDS) if given.wait else video)


def send_video(client: Client, file: Path, checksum: str, progress: Callable[[int], None], **members: Any) -> Video:
    """The finalized video. Within a day, a call with the same members goes on where the last one was."""
    for attempt in range(MOST_KEYS):
        said = (client.space, checksum, sorted(members.items()), attempt)
        key = f"stow-{hashlib.sha256(repr(said).encode()).hexdigest()}"
        try:
            video = client.videos.create(size=file.stat().st_size, idempotency_key=key, **members)
            if client.videos.get(video.id).status in ("awaiting_upload", "uploading"):
                client.videos.send(video.tus_upload_url or "", file, progress=lambda sent, _: progress(sent))
            return client.videos.finalize(video.id)
        except (errors.NotFound, errors.UploadGone):
            continue  # the upload was begun before, and is gone
    raise AssertionError("a hundred uploads of one video, and all of them gone")


def show_status_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--wait", action="store_true", help="until it can be played")


def show_status(stow: Stow, given: Namespace) -> None:
    """Show how far a video is. With --wait, wait until it can be played."""
    videos = stow.client.videos
    stow.show(videos.wait_until_ready(given.id, _LONGEST_WAIT_SECONDS) if given.wait else videos.get(given.id))


def print_url_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--expires", type=int, metavar="SECONDS", default=UNSET)


def print_url(stow: Stow, given: Namespace) -> None:
    """Print an address that plays a video, for an hour or as long as you say."""
    video = stow.client.videos.get(given.id)
    stow.printer.text(stow.client.videos.signed_url(video.provider_video_id, expires_in=given.expires).url)
