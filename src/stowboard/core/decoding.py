"""JSON into typed values, and what is wrong with it into sentences that name the member."""

import re
from typing import Any, TypeVar

import msgspec

from stowboard.core.errors import InvalidJson, ValidationFailed

S = TypeVar("S", bound=msgspec.Struct)
_PLACE = re.compile(r" - at `(?:key in )?\$\.?(.*)`$")
_QUOTED = re.compile(r"`([^`]*)`")
_TYPES = {
    "str": "a string", "int": "an integer", "bool": "a boolean", "float": "a number", "array": "an array",
    "object": "an object",
}  # fmt: skip
# An escape of U+0000 behind an even number of backslashes; text columns cannot hold the character.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def decode_json(decoder: msgspec.json.Decoder[S], raw: bytes) -> S:
    """Raises InvalidJson for what is not a JSON object, ValidationFailed for a member that is missing or wrong."""
    try:
        body = _decoded(decoder, raw or b"{}")
    except msgspec.ValidationError as error:
        text = str(error)
        if text.startswith("Expected `object`") and " - at " not in text:
            raise InvalidJson("The body must be a JSON object.") from None
        raise ValidationFailed(sentence(text, decoder.type)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidJson(f"The body is not JSON in UTF-8: {error}.") from None
    except RecursionError:
        raise InvalidJson("The body is nested too deeply.") from None
    if not raw.isascii():  # what the decoder passes over, it does not look into
        _check_utf8(raw)
    if b"\\u0000" in raw and _NUL.search(raw):
        raise ValidationFailed("The body has the character U+0000, which cannot be stored.")
    return body


def sentence(text: str, kind: type[msgspec.Struct]) -> str:
    """msgspec's «Expected `str`, got `int` - at `$.title`» as «title: expected a string, got an integer.»"""
    place = _PLACE.search(text)
    member = place[1] if place else ""
    message = text[: place.start()] if place else text
    if message.startswith("Object missing required field "):
        missing = message.removeprefix("Object missing required field ").strip("`")
        return f"{member + '.' if member else ''}{missing} is required."
    if message.startswith("Invalid enum value ") and (choices := _choices(kind, member)):
        return f"{member}: {message.removeprefix('Invalid enum value ')} is not one of {', '.join(choices)}."
    message = _QUOTED.sub(_in_words, message)
    return f"{member}: {message[0].lower()}{message[1:]}." if member else f"{message}."


def _decoded(decoder: msgspec.json.Decoder[S], raw: bytes) -> S:
    """To JSON Schema 3.0 is an integer, to msgspec it is not: what it refuses is tried again with such made whole."""
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError:
        return decoder.decode(msgspec.json.encode(_whole(msgspec.json.decode(raw))))


def _whole(node: Any) -> Any:
    if isinstance(node, float) and node.is_integer() and abs(node) < 2**63:
        return int(node)
    if isinstance(node, dict):
        return {key: _whole(value) for key, value in node.items()}
    return [_whole(item) for item in node] if isinstance(node, list) else node


def _check_utf8(raw: bytes) -> None:
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidJson(f"The body is not UTF-8 at byte {error.start}.") from None


def _in_words(quoted: re.Match[str]) -> str:
    return " or ".join(_TYPES.get(name, name) for name in quoted[1].split(" | "))


def _choices(kind: type[msgspec.Struct], member: str) -> list[str]:
    """The values that a member takes, if it is an enumeration of the body itself."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    of_member = next((field.type for field in info.fields if field.encode_name == member), None)
    options = of_member.types if isinstance(of_member, msgspec.inspect.UnionType) else (of_member,)
    enums = [option.cls for option in options if isinstance(option, msgspec.inspect.EnumType)]
    return [str(value.value) for enum in enums for value in enum]
