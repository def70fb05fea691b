"""Open an asset in the browser. Without a browser, its address is printed."""

import webbrowser
from argparse import ArgumentParser, Namespace

from stowboard_cli.media.addresses import address_of
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--class", dest="transform_class", metavar="NAME")


def run(stow: Stow, given: Namespace) -> None:
    address = address_of(stow, given.id, given.transform_class, None)
    if not webbrowser.open(address):
        stow.printer.text(address)
