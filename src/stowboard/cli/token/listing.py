"""List the live tokens, newest first."""

from argparse import Namespace

from stowboard.access import tokens
from stowboard.cli.on_database import read_only
from stowboard.cli.times import minute_of
from stowboard.core.plain_text import shown_line
from stowboard.settings import Settings

_MOST_SHOWN = 1000


def run(settings: Settings, _: Namespace) -> None:
    for token in read_only(settings, tokens.list_tokens, None, _MOST_SHOWN).items:
        until = "never ends" if token.expires_at is None else f"until {minute_of(token.expires_at)}"
        note = f"  {token.name}" if token.name else ""
        print(shown_line(f"{token.id}  {token.owner}  {token.kind}  {' '.join(token.scopes)}  {until}{note}"))
