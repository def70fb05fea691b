"""Bodies and query strings into typed values, and what is wrong with them into sentences that name the member."""

import re
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec

from stowboard.core.errors import InvalidJson, InvalidParameter, UnsupportedMediaType, ValidationFailed

S = TypeVar("S", bound=msgspec.Struct)
MAX_PARAMETERS = 64
_FORMS = ("multipart/", "application/x-www-form-urlencoded")
_PLACE = re.compile(r" - at `(?:key in )?\$\.?(.*)`$")
_TYPES = {"`str`": "a string", "`int`": "an integer", "`bool`": "a boolean", "`float`": "a number"}
# An escape of U+0000 behind an even number of backslashes; text columns cannot hold the character.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def check_media_type(content_type: str | None) -> None:
    """Anything is read as JSON, except what a browser's form would send."""
    if content_type and content_type.lower().startswith(_FORMS):
        raise UnsupportedMediaType


def decode_body(decoder: msgspec.json.Decoder[S], raw: bytes) -> S:
    """Raises InvalidJson for what is not a JSON object, ValidationFailed for a member that is missing or wrong."""
    try:
        body = decoder.decode(raw or b"{}")
    except msgspec.ValidationError as error:
        text = str(error)
        if text.startswith("Expected `object`") and " - at " not in text:
            raise InvalidJson("The body must be a JSON object.") from None
        raise ValidationFailed(_sentence(text)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidJson(f"The body is not JSON in UTF-8: {error}.") from None
    except RecursionError:
        raise InvalidJson("The body is nested too deeply.") from None
    if b"\\u0000" in raw and _NUL.search(raw):
        raise ValidationFailed("The body has the character U+0000, which cannot be stored.")
    return body


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
        raise InvalidParameter(_sentence(str(error))) from None


def _sentence(text: str) -> str:
    """msgspec's «Expected `str`, got `int` - at `$.title`» as «title: expected a string, got an integer.»"""
    place = _PLACE.search(text)
    message = text[: place.start()] if place else text
    for name, word in _TYPES.items():
        message = message.replace(name, word)
    if message.startswith("Object missing required field "):
        missing = message.removeprefix("Object missing required field ").strip("`")
        return f"{place[1] + '.' if place and place[1] else ''}{missing} is required."
    message = message.replace("`", "'")
    return f"{place[1]}: {message[0].lower()}{message[1:]}." if place else f"{message}."
