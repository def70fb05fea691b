"""Put assets and videos into the trash. With --forever, delete them for good; it asks first, unless you say --yes."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.media.batches import change_each
from stowboard_cli.output.counted import counted
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--forever", action="store_true", help="delete for good, also out of the trash")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(stow: Stow, given: Namespace) -> int:
    ids, client = list(dict.fromkeys(given.ids)), stow.client
    if not given.forever:
        return change_each(stow, ids, "trashed", client.assets.batch_trash, client.videos.trash)
    stow.require_yes(f"Delete {ids[0] if len(ids) == 1 else counted(len(ids), 'item')} for good?")
    return change_each(stow, ids, "deleted", client.assets.batch_delete, client.videos.delete)
