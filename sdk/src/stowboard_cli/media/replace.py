"""Give an asset other bytes, and wait until they are served. Its id, tags and links stay."""

import mimetypes
from argparse import ArgumentParser, Namespace
from pathlib import Path

from stowboard_cli.media.sending import INLINE, checksum_of
from stowboard_cli.output.progress import Progress
from stowboard_cli.stow import Stow


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("file", type=Path, metavar="FILE")


def run(stow: Stow, given: Namespace) -> None:
    uploads, file = stow.client.uploads, given.file
    size = file.stat().st_size
    mime_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if size <= INLINE:
        uploads.replace(given.id, file.read_bytes(), mime_type=mime_type, original_name=file.name)
    else:
        progress = Progress(1, size, stow.quiet)
        begun = uploads.presigned(file.name, size, mime_type=mime_type, checksum=checksum_of(file), asset_id=given.id)
        uploads.send(begun, file, progress=lambda sent, _: progress.reached(file.name, sent))
        progress.finished(file.name, "replaced", size)
        progress.end()
    stow.show(uploads.wait_until_ready(given.id, 3600.0))
