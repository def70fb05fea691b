"""Steps that tests of the settings share."""

from typing import Any

from support.console.visitor import Visitor
from support.stored.rows import rows


def shown_once(visitor: Visitor, label: str) -> str:
    """The secret that is shown, which is then put away."""
    value = str(visitor.page.get_by_label(label).input_value())
    visitor.role("button", "Done").click()
    return value


def line(visitor: Visitor, where: str, text: str) -> Any:
    return visitor.role("list", where).get_by_role("listitem").filter(has_text=text)


def grow_old(visitor: Visitor) -> None:
    """The sign-in was a moment ago, so nothing is asked; this makes it an hour ago."""
    rows(
        visitor.server,
        f"UPDATE session SET stepped_up_at = stepped_up_at - 3600000 WHERE account_id IN ({_account_of(visitor)})",
    )


def _account_of(visitor: Visitor) -> str:
    return f"SELECT id FROM account WHERE username = '{visitor.name}'"
