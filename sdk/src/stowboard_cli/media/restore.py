"""Restore assets and videos from the trash."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.media.batches import change_each
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")


def run(stow: Stow, given: Namespace) -> int:
    client = stow.client
    return change_each(
        stow, list(dict.fromkeys(given.ids)), "restored", client.assets.batch_restore, client.videos.restore
    )
