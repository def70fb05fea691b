"""Let a disabled account sign in again."""

from argparse import Namespace

from stowboard.access.accounts import changes
from stowboard.cli.account.on_account import change_account, username_argument
from stowboard.settings import Settings

arguments = username_argument


def run(settings: Settings, given: Namespace) -> None:
    print(f"{change_account(settings, given.username, changes.enable).username} is enabled.")
