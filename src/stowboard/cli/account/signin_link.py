"""Print a link that signs the person in without password or passkey. It works once, for a day."""

from argparse import Namespace

from stowboard.access.accounts import changes
from stowboard.access.base.tickets import Ticket
from stowboard.access.signing_keys import KeySettings, load_digest_key
from stowboard.cli.account.on_account import find_named, on_accounts, print_link, username_argument
from stowboard.db.database import Database
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings

arguments = username_argument


def run(settings: Settings, given: Namespace) -> None:
    print_link(settings, *on_accounts(settings, _make, settings.keys, given.username))


async def _make(db: Database, keys: KeySettings, username: str) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, keys)
    account = await find_named(db, username)
    return await db.transact(changes.make_sign_in_link, key, OPERATOR, account)
