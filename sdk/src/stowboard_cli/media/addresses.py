"""The address of an asset, printed or opened: its public one, or a signed one that expires."""

import webbrowser
from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow


def print_url_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--class", dest="transform_class", metavar="NAME", help="thumbnail, small, medium, large …")
    parser.add_argument("--expires", type=int, metavar="SECONDS", help="60 to 604800")


def print_url(stow: Stow, given: Namespace) -> None:
    """Print the address of an asset. For a protected asset, or with --expires, it is signed and expires."""
    stow.printer.text(_address_of(stow, given.id, given.transform_class, given.expires))


def open_in_browser_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID")
    parser.add_argument("--class", dest="transform_class", metavar="NAME")


def open_in_browser(stow: Stow, given: Namespace) -> None:
    """Open an asset in the browser. Without a browser, its address is printed."""
    address = _address_of(stow, given.id, given.transform_class, None)
    if not webbrowser.open(address):
        stow.printer.text(address)


def _address_of(stow: Stow, asset_id: str, transform_class: str | None, seconds: int | None) -> str:
    asset = stow.client.assets.get(asset_id)
    if asset.visibility == "public" and seconds is None:
        return stow.client.delivery.resolve(asset_id, transform_class=transform_class).url
    return stow.client.delivery.url(asset_id, transform_class=transform_class, expires_in=seconds).url
