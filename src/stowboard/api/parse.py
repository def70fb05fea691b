"""What kind of body is taken, and query strings into typed values."""

from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec

from stowboard.core.decoding import sentence
from stowboard.core.errors import InvalidParameter, UnsupportedMediaType

S = TypeVar("S", bound=msgspec.Struct)
MAX_PARAMETERS = 64
_FORMS = ("multipart/", "application/x-www-form-urlencoded")


def check_media_type(content_type: str | None) -> None:
    """Anything is read as JSON, except what a browser's form would send."""
    if content_type and content_type.lower().startswith(_FORMS):
        raise UnsupportedMediaType


def decode_query(kind: type[S], text: str) -> S:
    """Raises InvalidParameter, naming the parameter."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except UnicodeDecodeError:
        raise InvalidParameter("The query string is not percent-encoded UTF-8.") from None
    except ValueError:
        raise InvalidParameter(f"The query string has more than {MAX_PARAMETERS} parameters.") from None
    values: dict[str, Any] = dict(pairs)
    if len(values) != len(pairs):
        raise InvalidParameter("A query parameter was given twice.")
    if "\0" in text or "%00" in text:
        raise InvalidParameter("The query string has the character U+0000.")
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidParameter(sentence(str(error), kind)) from None
