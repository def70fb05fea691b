"""Print the address of an asset. For a protected asset, or with --expires, it is signed and expires."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.media.addresses import address_of
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--class", dest="transform_class", metavar="NAME", help="thumbnail, small, medium, large …")
    parser.add_argument("--expires", type=int, metavar="SECONDS", help="60 to 604800")


def run(stow: Stow, given: Namespace) -> None:
    stow.printer.text(address_of(stow, given.id, given.transform_class, given.expires))
