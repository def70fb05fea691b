"""Text into HTML: every value is escaped, unless it is HTML that was made here itself."""

import html
import re
from functools import cache
from pathlib import Path

DIRECTORY = Path(__file__).parent / "files"
_PLACE = re.compile(r"\{\{([a-z_]+)\}\}")


class Html(str):
    """Text that is HTML already. Only `fill` and `template` make it."""

    __slots__ = ()


def fill(name: str, **values: str) -> Html:
    """The template of this name with its places filled; each place needs a value, each value a place."""
    text = template(name)
    missing = set(_PLACE.findall(text)) ^ set(values)
    if missing:
        raise LookupError(f"{name}: {', '.join(sorted(missing))} is a place without a value, or the reverse")
    return Html(_PLACE.sub(lambda place: _safe(values[place[1]]), text))


@cache
def template(name: str) -> Html:
    """A file of ours, as it is."""
    return Html((DIRECTORY / name).read_text("utf-8"))


def _safe(value: str) -> str:
    return value if isinstance(value, Html) else html.escape(value)
