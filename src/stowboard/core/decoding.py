"""JSON into typed values. What is wrong with it is told in sentences that name the member (wording.py)."""

import re
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from stowboard.core.errors import InvalidJson, ValidationFailed
from stowboard.core.wording import fields_of, options_of, sentence

S = TypeVar("S", bound=msgspec.Struct)
_FOR_A_FRACTION = re.compile(r"Expected `[^`]*\bint\b[^`]*`, got `float`")
_FRACTION = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 64
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`(?: - at `\$\.?([^`]*)`)?", re.DOTALL)
# Half of a pair. Looked for where a body begins: a refused one shall cost no more than a good one.
_LONE_SURROGATE = re.compile(
    rb"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD])[c-fC-F][0-9a-fA-F]{2})"
)
_LOOKED_THROUGH = 64 * 1024
# An escape of U+0000 behind an even number of backslashes; text columns cannot hold the character.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


class UnknownMember(ValidationFailed):
    """Raised for types that forbid what they do not know."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is unknown.")
        self.name = name


def decode_json(decoder: msgspec.json.Decoder[S], raw: bytes) -> S:
    """Raises InvalidJson for what is not a JSON object, ValidationFailed for a member that is missing or wrong."""
    try:
        body = _decoded(decoder, raw or b"{}")
    except msgspec.ValidationError as error:
        text = str(error)
        if text.startswith("Expected `object`") and " - at " not in text:
            raise InvalidJson("The body must be a JSON object.") from None
        if unknown := _UNKNOWN.fullmatch(text):
            raise UnknownMember(f"{unknown[2]}.{unknown[1]}" if unknown[2] else unknown[1]) from None
        raise ValidationFailed(sentence(text, decoder.type)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _not_json(raw, error) from None
    except RecursionError:
        raise InvalidJson("The body is nested too deeply.") from None
    if not raw.isascii():  # what the decoder passes over, it does not look into
        _check_utf8(raw)
    # The search for one byte is thirty times as fast, and megabytes of base64 have no backslash.
    if b"\\" in raw and b"\\u0000" in raw and _NUL.search(raw):
        raise ValidationFailed("The body has the character U+0000, which cannot be stored.")
    return body


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
    if raw.startswith(b"["):
        return msgspec.Raw(msgspec.json.encode(_whole_within(msgspec.json.decode(raw))))
    return msgspec.Raw(_with_whole_numbers(kind, raw)) if kind is not None and raw.startswith(b"{") else text


def _whole_within(value: Any) -> Any:
    """Of what is in a list, such as the operations of a batch: every number like 3.0 as 3."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    if isinstance(value, list):
        return [_whole_within(item) for item in value]
    return {name: _whole_within(item) for name, item in value.items()} if isinstance(value, dict) else value


@lru_cache(256)
def _outline(kind: Any) -> tuple[msgspec.json.Decoder[Any], dict[str, Any]]:
    """A decoder of a struct's members as texts, and which of them are structs themselves."""
    fields = fields_of(kind)
    texts = msgspec.defstruct(
        "Texts", [(field.name, msgspec.Raw | msgspec.UnsetType, msgspec.UNSET) for field in fields],
        rename={field.name: field.encode_name for field in fields},
        forbid_unknown_fields=kind.__struct_config__.forbid_unknown_fields,
    )  # fmt: skip
    options = [(field.name, option) for field in fields for option, _ in options_of(field.type)]
    nested = {name: option.cls for name, option in options if isinstance(option, msgspec.inspect.StructType)}
    return msgspec.json.Decoder(texts), nested


def _not_json(raw: bytes, error: Exception) -> InvalidJson:
    if lone := _LONE_SURROGATE.search(raw, 0, _LOOKED_THROUGH):
        return InvalidJson(
            f"The body has {lone[0].decode()} at byte {lone.start()}, one half of a pair of surrogates, which is no"
            " character. Escape both halves, or write the character itself."
        )
    return InvalidJson(f"The body is not JSON in UTF-8: {str(error).removesuffix('.')}.")


def _check_utf8(raw: bytes) -> None:
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidJson(f"The body is not UTF-8 at byte {error.start}.") from None
