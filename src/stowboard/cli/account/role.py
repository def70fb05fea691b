"""Make somebody an admin, or a member again."""

from argparse import ArgumentParser, Namespace

from stowboard.access.accounts import changes
from stowboard.access.base.account import Account, AccountRole
from stowboard.cli.account.on_account import change_account, username_argument
from stowboard.db.database import Tx
from stowboard.events.audit import Actor
from stowboard.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    username_argument(parser)
    parser.add_argument("role", choices=[role.value for role in AccountRole])


def run(settings: Settings, given: Namespace) -> None:
    async def change(tx: Tx, actor: Actor, account_id: str) -> Account:
        return await changes.change_role(tx, actor, account_id, AccountRole(given.role))

    account = change_account(settings, given.username, change)
    print(f"{account.username} is {'an admin' if account.is_admin else 'a member'} now.")
