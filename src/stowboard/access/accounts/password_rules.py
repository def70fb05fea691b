"""Passwords that are refused: too short, too long, the name itself, and those that attackers try first.

There are no rules about digits and capitals: they make passwords worse. The common ones are the 30,000 that the package
`zxcvbn` carries. They are read when somebody chooses a password and forgotten at once: a process holds none of them.
"""

import asyncio
import importlib.util
import runpy
from collections.abc import Container
from pathlib import Path

from stowboard.access.accounts.passwords import LONGEST, normal
from stowboard.core.errors import ValidationFailed

SHORTEST = 12
#: A common password stays common with this many characters around it: Password2026!
_TRIMMINGS = 5
_ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
)


async def check_password(password: str, username: str) -> None:
    """Raises ValidationFailed for a password that is too weak, in general or for this person."""
    # The length as it was sent comes first: normalising takes time that grows with its square.
    text = normal(password) if len(password) <= LONGEST else ""
    if len(text) < SHORTEST:
        raise ValidationFailed(f"password: expected {SHORTEST} to {LONGEST} characters.")
    folded = text.casefold()
    if username in folded and folded.replace(username, "").strip("0123456789._-!") == "":
        raise ValidationFailed("password: it is the username. Choose another one.")
    if await asyncio.to_thread(_is_common, folded):
        raise ValidationFailed("password: it is one of those that are tried first. Four unrelated words are good.")


def _is_common(folded: str) -> bool:
    common = _common()
    unit = _repeated(folded)
    core = folded.strip("0123456789 .,;:-_!?*#+$%&/@")
    return (
        folded in common
        or len(unit) <= 3
        or (unit != folded and unit in common)
        or (len(folded) - len(core) <= _TRIMMINGS and core in common)
        or any(folded in row or folded in row[::-1] for row in _ROWS)
    )


def _common() -> Container[str]:
    spec = importlib.util.find_spec("zxcvbn")
    assert spec is not None
    assert spec.origin is not None
    lists = runpy.run_path(str(Path(spec.origin).with_name("frequency_lists.py")))["FREQUENCY_LISTS"]
    return frozenset(lists["passwords"])


def _repeated(text: str) -> str:
    """The shortest text that gives this one when it is repeated."""
    return text[: (text + text).index(text, 1)]
