"""Delete an account, with its sessions and every token, OAuth client and webhook of its owner. Tasks stay."""

from argparse import Namespace
from functools import partial

from stowboard.access.accounts import changes
from stowboard.access.base.account import typed_username
from stowboard.cli.account.on_account import change_account, username_argument
from stowboard.ports import TaskOwners
from stowboard.settings import Settings

arguments = username_argument


def run(settings: Settings, given: Namespace) -> None:
    change_account(settings, given.username, partial(changes.delete_account, owners=TaskOwners()))
    print(f"{typed_username(given.username)} is deleted. Tasks of this owner stay; the name is never given again.")
