"""Checks of a body's type, and query strings into typed values.

An unknown parameter is refused, not ignored: a request with a misspelt filter must not return everything.
"""

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import parse_qsl

import msgspec

from stowboard.core.errors import InvalidParameter, UnsupportedMediaType
from stowboard.core.wording import sentence

S = TypeVar("S", bound=msgspec.Struct)
MAX_PARAMETERS = 64
#: The longest value of a parameter.
LONGEST_PARAMETER = 4096
_LONGEST_NAME = 100
#: The parameter without a bound here: the reader of cursors has its own error for a wrong one.
_CURSOR = "cursor"
#: Every parameter is text.
_GOT_TEXT = ", got `str`"
_FORMS = ("multipart/", "application/x-www-form-urlencoded")


def check_media_type(content_type: str | None, if_form: str | None) -> None:
    """Anything is read as JSON, except what a browser's form would send."""
    if content_type and content_type.lower().startswith(_FORMS):
        raise UnsupportedMediaType(f"{UnsupportedMediaType.message} {if_form}" if if_form else None)


def decode_query(kind: type[S] | None, text: str) -> S | None:
    """None if the operation takes no parameters. Raises InvalidParameter, naming the parameter."""
    values = _values(text, kind.__struct_encode_fields__ if kind else ()) if text else {}
    if kind is None:
        return None
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidParameter(sentence(str(error).replace(_GOT_TEXT, ""), kind)) from None


def _values(text: str, known: Sequence[str]) -> dict[str, str]:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except UnicodeDecodeError:
        raise InvalidParameter("The query string is not percent-encoded UTF-8.") from None
    except ValueError:
        raise InvalidParameter(f"The query string has more than {MAX_PARAMETERS} parameters.") from None
    if "\0" in text or "%00" in text:
        raise InvalidParameter("The query string has the character U+0000.")
    values: dict[str, str] = {}
    for name, value in pairs:
        if name not in known:
            raise InvalidParameter(_unknown(name[:_LONGEST_NAME], known))
        if name in values:
            raise InvalidParameter(f"{name} was given twice; give it once.")
        if len(value) > LONGEST_PARAMETER and name != _CURSOR:
            raise InvalidParameter(f"{name}: expected at most {LONGEST_PARAMETER:,} characters.")
        values[name] = value
    return values


def _unknown(name: str, known: Sequence[str]) -> str:
    if not known:
        return f"{name!r} is no parameter of this operation, which takes none."
    from difflib import SequenceMatcher  # a third of a megabyte, needed only after a mistake

    nearest = max(known, key=lambda one: SequenceMatcher(None, name.lower(), one.lower()).ratio())
    return f"{name!r} is no parameter of this operation. The nearest is {nearest}; all are {', '.join(known)}."
