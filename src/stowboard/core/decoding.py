"""Decodes JSON into typed values. An error is a sentence that names the member (wording.py)."""

import re
from functools import lru_cache
from typing import Any, TypeVar, Union

import msgspec

from stowboard.core.errors import InvalidJson, ValidationFailed
from stowboard.core.wording import fields_of, options_of, sentence

S = TypeVar("S", bound=msgspec.Struct)
_FOR_A_FRACTION = re.compile(r"Expected `[^`]*\bint\b[^`]*`, got `float`")
_FRACTION = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 64
#: Numbers in a longer list are left as they are: no operation takes one, and to look at each would delay others.
_MOST_COMMAS, _MOST_ITEMS = 200_000, 1000
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`(?: - at `\$\.?([^`]*)`)?", re.DOTALL)
# Half of a surrogate pair. Only the beginning of a body is searched: a refused body must not cost more than a good one.
_LONE_SURROGATE = re.compile(
    rb"\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD])[c-fC-F][0-9a-fA-F]{2})"
)
_LOOKED_THROUGH = 64 * 1024
# An escape of U+0000 behind an even number of backslashes; text columns cannot hold the character.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_items = msgspec.json.Decoder(list[msgspec.Raw])


def examine(kind: Any) -> None:
    """Have msgspec examine a type, and those in it, where it is defined: no second thread can use it yet.

    It would do so at the first use, and version 0.22 crashes Python if two threads do that at once.
    """
    msgspec.json.Decoder(kind)


class NotAnObject(InvalidJson):
    message = "The body must be a JSON object."


class UnknownMember(ValidationFailed):
    """A body has a member that its type does not know and forbids."""

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
            raise NotAnObject from None
        if unknown := _UNKNOWN.fullmatch(text):
            raise UnknownMember(f"{unknown[2]}.{unknown[1]}" if unknown[2] else unknown[1]) from None
        raise ValidationFailed(sentence(text, decoder.type)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _not_json(raw, error) from None
    except RecursionError:
        raise InvalidJson("The body is nested too deeply.") from None
    if not raw.isascii():  # the decoder does not check members that it skips
        _check_utf8(raw)
    # The search for one byte comes first: it is thirty times as fast, and megabytes of base64 have no backslash.
    if b"\\" in raw and b"\\u0000" in raw and _NUL.search(raw):
        raise ValidationFailed("The body has the character U+0000, which cannot be stored.")
    return body


def _decoded(decoder: msgspec.json.Decoder[S], raw: bytes) -> S:
    """Accepts 3.0 as an integer, as JSON Schema does and msgspec does not: a refused body is tried again with 3."""
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError as error:
        if not _FOR_A_FRACTION.match(str(error)):
            raise
        return decoder.decode(_with_whole_numbers(decoder.type, raw))


def _with_whole_numbers(kind: Any, raw: bytes) -> bytes:
    """The members that the type knows, with numbers like 3.0 written as 3. C code skips or copies the rest."""
    outline = _outline(kind)
    given = outline.texts.decode(raw)
    members = outline.members[type(given)]
    whole = {name: _whole(members.get(name), text) for name, text in msgspec.structs.asdict(given).items()}
    return msgspec.json.encode(type(given)(**whole))


def _whole(member: "_Member | None", text: msgspec.Raw | msgspec.UnsetType) -> msgspec.Raw | msgspec.UnsetType:
    if isinstance(text, msgspec.UnsetType):
        return text
    if len(text) <= _LONGEST_NUMBER and _FRACTION.fullmatch(raw := bytes(text)) and (value := float(raw)).is_integer():
        return msgspec.Raw(b"%d" % value if abs(value) < 2**63 else raw)
    if member is None:
        return text
    raw = bytes(text)
    if not member.is_list and raw.startswith(b"{"):
        return msgspec.Raw(_with_whole_numbers(member.kind, raw))
    if member.is_list and raw.startswith(b"[") and raw.count(b",") <= _MOST_COMMAS:
        items = _items.decode(raw)
        if len(items) <= _MOST_ITEMS:
            inner = _Member(member.kind, False)
            return msgspec.Raw(msgspec.json.encode([_whole(inner, item) for item in items]))
    return text


class _Member(msgspec.Struct, frozen=True):
    """A member with objects in it: their type, or the union of types that a tag tells apart."""

    kind: Any
    is_list: bool


class _Outline(msgspec.Struct, frozen=True):
    """A decoder that gives a type's members as texts; and for each struct, its members that contain objects."""

    texts: msgspec.json.Decoder[Any]
    members: dict[type, dict[str, _Member]]


@lru_cache(256)
def _outline(kind: Any) -> _Outline:
    members: dict[type, dict[str, _Member]] = {}
    for option, _ in options_of(msgspec.inspect.type_info(kind)):
        assert isinstance(option, msgspec.inspect.StructType)
        config = option.cls.__struct_config__
        fields = fields_of(option.cls)
        texts = msgspec.defstruct(
            "Texts", [(field.name, msgspec.Raw | msgspec.UnsetType, msgspec.UNSET) for field in fields],
            rename={field.name: field.encode_name for field in fields},
            forbid_unknown_fields=config.forbid_unknown_fields, tag_field=config.tag_field, tag=config.tag,
        )  # fmt: skip
        members[texts] = {field.name: found for field in fields if (found := _member(field.type)) is not None}
    return _Outline(msgspec.json.Decoder(Union[tuple(members)]), members)  # noqa: UP007


def _member(kind: msgspec.inspect.Type) -> _Member | None:
    options = [option for option, _ in options_of(kind)]
    items = [option.item_type for option in options if isinstance(option, msgspec.inspect.ListType)]
    within = [option for item in items for option, _ in options_of(item)] or options
    structs = tuple(option.cls for option in within if isinstance(option, msgspec.inspect.StructType))
    return _Member(Union[structs], bool(items)) if structs else None  # noqa: UP007


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
