"""Block an account: nobody signs in as it, and no token acts for its owner, until it is enabled again."""

from argparse import Namespace
from functools import partial

from stowboard.access.accounts import changes
from stowboard.cli.account.on_account import change_account, username_argument
from stowboard.ports import TaskOwners
from stowboard.settings import Settings

arguments = username_argument


def run(settings: Settings, given: Namespace) -> None:
    account = change_account(settings, given.username, partial(changes.disable, owners=TaskOwners()))
    print(f"{account.username} is disabled: no sign-in, and no token of this owner works, until it is enabled.")
