"""Print a link by which the person sets a new password. It works once, for a day."""

from argparse import Namespace

from stowboard.access.accounts import changes
from stowboard.access.base.tickets import Ticket
from stowboard.access.signing_keys import load_digest_key
from stowboard.cli.account.on_account import find_named, letters_of, on_accounts, print_link, username_argument
from stowboard.db.database import Database, Tx
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings

arguments = username_argument


def run(settings: Settings, given: Namespace) -> None:
    print_link(settings, *on_accounts(settings, _make, settings, given.username))


async def _make(db: Database, settings: Settings, username: str) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, settings.keys)
    account = await find_named(db, username)

    async def make(tx: Tx) -> tuple[Ticket, str]:
        ticket, secret = await changes.make_reset_link(tx, key, OPERATOR, account)
        await letters_of(settings, key).send_link_later(tx, account.confirmed_email, ticket, secret, account.username)
        return ticket, secret

    return await db.transact(make)
