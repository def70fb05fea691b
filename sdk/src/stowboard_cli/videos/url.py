"""Print an address that plays a video, for an hour or as long as you say."""

from argparse import ArgumentParser, Namespace

from msgspec import UNSET

from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--expires", type=int, metavar="SECONDS", default=UNSET)


def run(stow: Stow, given: Namespace) -> None:
    video = stow.client.videos.get(given.id)
    stow.printer.text(stow.client.videos.signed_url(video.provider_video_id, expires_in=given.expires).url)
