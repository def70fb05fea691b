"""Delete assets and videos for good. It asks first, unless you say --yes."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.exits import NOT_FOUND, OK, PARTLY
from stowboard_cli.media.batches import batches
from stowboard_cli.output.counted import counted
from stowboard_cli.stow import Stow
from stowboard_client import errors


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(stow: Stow, given: Namespace) -> int:
    ids = list(dict.fromkeys(given.ids))
    stow.require_yes(f"Delete {ids[0] if len(ids) == 1 else counted(len(ids), 'item')} for good?")
    missing: list[str] = []
    for batch in batches([each for each in ids if not each.startswith("vid_")]):
        missing += stow.client.assets.batch_delete(batch).missing
    for each in ids:
        if each.startswith("vid_"):
            try:
                stow.client.videos.delete(each)
            except errors.NotFound:
                missing.append(each)
    for each in missing:
        stow.say(f"There is no {each}.")
    stow.show({"deleted": len(ids) - len(missing), "missing": missing})
    if missing and len(missing) == len(ids):
        return NOT_FOUND
    return PARTLY if missing else OK
