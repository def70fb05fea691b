"""List assets, newest first."""

from argparse import ArgumentParser, Namespace
from itertools import islice
from typing import Literal

from stowboard_cli.stow import Stow


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="?", help="words to look for in name, title, alt text and tags")
    parser.add_argument(
        "--tag", action="append", metavar="TAG", help="only assets with this tag; repeat it to ask for several"
    )
    parser.add_argument("--kind", choices=["image", "file"])
    parser.add_argument("--type", metavar="TYPE", help="a media type, or a family: image/*")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="at most N, 50 by default; 0 for all")
    parser.add_argument("--trashed", action="store_true", help="list the trash; without other filters")
    parser.add_argument("--videos", action="store_true", help="list videos instead of images and files")


def run(stow: Stow, given: Namespace) -> None:
    trashed: Literal["only"] | None = "only" if given.trashed else None
    if given.videos:
        videos = stow.client.videos.list(tags=given.tag, q=given.text, trashed=trashed)
        columns = ["id", "status", "size", "createdAt", "title", "tags", *stow.space_column]
        stow.list(islice(videos, given.limit or None), columns)
        return
    assets = stow.client.assets.list(
        kind=given.kind, tags=given.tag, mime_type=given.type, q=given.text, trashed=trashed
    )
    columns = ["id", "kind", "size", "createdAt", "filename", "tags", *stow.space_column]
    stow.list(islice(assets, given.limit or None), columns)
