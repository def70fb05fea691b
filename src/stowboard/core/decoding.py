"""JSON into typed values, and what is wrong with it into sentences that name the member."""

import re
from functools import lru_cache
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
_FOR_A_FRACTION = re.compile(r"Expected `[^`]*\bint\b[^`]*`, got `float`")
_FRACTION = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 64
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
    """To JSON Schema 3.0 is an integer, to msgspec it is not: a body refused for that is tried again with it whole."""
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError as error:
        if not _FOR_A_FRACTION.match(str(error)):
            raise
        return decoder.decode(_with_whole_numbers(decoder.type, raw))


def _with_whole_numbers(kind: Any, raw: bytes) -> bytes:
    """The members that the body is asked for, those like 3.0 as 3. The rest is passed over, in C."""
    texts, nested = _outline(kind)
    given = texts.decode(raw)
    whole = {name: _whole(nested.get(name), text) for name, text in msgspec.structs.asdict(given).items()}
    return msgspec.json.encode(type(given)(**whole))


def _whole(kind: Any, text: msgspec.Raw | msgspec.UnsetType) -> msgspec.Raw | msgspec.UnsetType:
    if isinstance(text, msgspec.UnsetType):
        return text
    raw = bytes(text)
    if len(raw) <= _LONGEST_NUMBER and _FRACTION.fullmatch(raw) and (value := float(raw)).is_integer():
        return msgspec.Raw(b"%d" % value if abs(value) < 2**63 else raw)
    return msgspec.Raw(_with_whole_numbers(kind, raw)) if kind is not None and raw.startswith(b"{") else text


@lru_cache(256)
def _outline(kind: Any) -> tuple[msgspec.json.Decoder[Any], dict[str, Any]]:
    """A decoder of a struct's members as texts, and which of them are structs themselves."""
    fields = _fields(kind)
    texts = msgspec.defstruct(
        "Texts", [(field.name, msgspec.Raw | msgspec.UnsetType, msgspec.UNSET) for field in fields],
        rename={field.name: field.encode_name for field in fields},
    )  # fmt: skip
    options = [(field.name, option) for field in fields for option in _options(field)]
    nested = {name: option.cls for name, option in options if isinstance(option, msgspec.inspect.StructType)}
    return msgspec.json.Decoder(texts), nested


def _check_utf8(raw: bytes) -> None:
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidJson(f"The body is not UTF-8 at byte {error.start}.") from None


def _in_words(quoted: re.Match[str]) -> str:
    return " or ".join(_TYPES.get(name, name) for name in quoted[1].split(" | "))


def _choices(kind: type[msgspec.Struct], member: str) -> list[str]:
    """The values that a member takes, if it is an enumeration of the body itself."""
    options = [option for field in _fields(kind) if field.encode_name == member for option in _options(field)]
    enums = [option.cls for option in options if isinstance(option, msgspec.inspect.EnumType)]
    return [str(value.value) for enum in enums for value in enum]


@lru_cache(256)
def _fields(kind: Any) -> tuple[msgspec.inspect.Field, ...]:
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return info.fields


def _options(field: msgspec.inspect.Field) -> tuple[msgspec.inspect.Type, ...]:
    return field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else (field.type,)
