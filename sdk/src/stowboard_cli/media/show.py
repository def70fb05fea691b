"""Show all members of an asset, a video or a task."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")


def run(stow: Stow, given: Namespace) -> None:
    client = stow.client
    if given.id.startswith("tsk_"):
        stow.show(client.tasks.get(given.id))
    elif given.id.startswith("vid_"):
        stow.show(client.videos.get(given.id))
    else:
        stow.show(client.assets.get(given.id))
