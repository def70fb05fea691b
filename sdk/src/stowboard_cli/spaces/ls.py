"""List the spaces that you are in, and your role in each."""

from argparse import Namespace

from stowboard_cli.spaces.columns import COLUMNS
from stowboard_cli.stow import Stow


def run(stow: Stow, _: Namespace) -> None:
    stow.list(stow.client.spaces.list(), COLUMNS)
