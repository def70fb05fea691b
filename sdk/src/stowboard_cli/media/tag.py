"""Add tags to assets, or remove them: stow tag ID… --add holiday --remove draft"""

from argparse import ArgumentParser, Namespace

from stowboard_cli.exits import NOT_FOUND, OK, PARTLY, USAGE, CommandFailure
from stowboard_cli.media.batches import batches
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--add", action="append", default=[], metavar="TAG")
    parser.add_argument("--remove", action="append", default=[], metavar="TAG")


def run(stow: Stow, given: Namespace) -> int:
    if not given.add and not given.remove:
        raise CommandFailure(USAGE, "Which tags? --add TAG, --remove TAG")
    missing: set[str] = set()
    for ids in batches(given.ids):
        if given.add:
            missing |= set(stow.client.assets.batch_tags("add", ids, given.add).missing)
        if given.remove:
            missing |= set(stow.client.assets.batch_tags("remove", ids, given.remove).missing)
    for each in sorted(missing):
        stow.say(f"There is no asset {each}.")
    stow.show({"tagged": len(set(given.ids)) - len(missing), "missing": sorted(missing)})
    if missing and missing == set(given.ids):
        return NOT_FOUND
    return PARTLY if missing else OK
