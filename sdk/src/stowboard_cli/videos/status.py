"""Show how far a video is; with --wait, once it can be played."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--wait", action="store_true", help="until it can be played")


def run(stow: Stow, given: Namespace) -> None:
    videos = stow.client.videos
    stow.show(videos.wait_until_ready(given.id, 24 * 3600.0) if given.wait else videos.get(given.id))
