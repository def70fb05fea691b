"""List the accounts, newest first."""

from argparse import Namespace

from stowboard.access.base import account_store
from stowboard.cli.on_database import read_only
from stowboard.cli.times import minute_of
from stowboard.core.plain_text import shown_line
from stowboard.settings import Settings

_MOST_SHOWN = 10_000


def run(settings: Settings, _: Namespace) -> None:
    for account in read_only(settings, account_store.list_accounts, None, _MOST_SHOWN).items:
        state = "disabled" if account.disabled else "enabled"
        seen = "never seen" if account.last_seen_at is None else f"seen {minute_of(account.last_seen_at)}"
        note = f"  {account.email}" if account.email else ""
        print(shown_line(f"{account.username}  {account.role}  {state}  {seen}{note}"))
