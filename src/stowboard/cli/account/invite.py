"""Print a link by which somebody makes their account. It works once, for a week."""

from argparse import ArgumentParser, Namespace

from stowboard.access.accounts import changes
from stowboard.access.base.account import typed_username
from stowboard.access.base.tickets import Ticket
from stowboard.access.signing_keys import load_digest_key
from stowboard.cli.account.on_account import letters_of, on_accounts, print_link, role_of
from stowboard.db.database import Database, Tx
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--username", help="fixes the name; without it they choose one that owns nothing")
    parser.add_argument("--admin", action="store_true", help="invite an admin")
    parser.add_argument("--email", metavar="ADDRESS", help="their e-mail address; the link is sent there too")


def run(settings: Settings, given: Namespace) -> None:
    print_link(settings, *on_accounts(settings, _invite, settings, given))


async def _invite(db: Database, settings: Settings, given: Namespace) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, settings.keys)
    name = typed_username(given.username) if given.username is not None else None

    async def invite(tx: Tx) -> tuple[Ticket, str]:
        ticket, secret = await changes.invite(tx, key, OPERATOR, name, role_of(given.admin), given.email)
        await letters_of(settings, key).send_link_later(tx, given.email, ticket, secret)
        return ticket, secret

    return await db.transact(invite)
