"""Decodes bodies, ignores unknown members, and names them, so that a client sees a misspelt member.

A strict form of the type is tried first, so a body without unknown members pays nothing. If a body has very many
members, only the first unknown one is named: to collect a million names would take longer than the request. In a list
of objects, such as the operations of a batch, the first unknown member is named.
"""

from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin

import msgspec

from stowboard.core.decoding import UnknownMember, decode_json

S = TypeVar("S", bound=msgspec.Struct)
_MOST_TOLD = 20
_LONGEST_TOLD = 100
_MOST_COLONS = 1000
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


class ForgivingDecoder(Generic[S]):
    def __init__(self, kind: type[S]) -> None:
        self._exact: msgspec.json.Decoder[S] = msgspec.json.Decoder(_exact(kind))
        self._forgiving = msgspec.json.Decoder(kind)
        self._known = frozenset(kind.__struct_encode_fields__)

    def decode(self, raw: bytes) -> tuple[S, list[str]]:
        """The body, and the names of members that were ignored. Raises InvalidJson or ValidationFailed."""
        try:
            return decode_json(self._exact, raw), []
        except UnknownMember as unknown:
            body = decode_json(self._forgiving, raw)
            return body, [_shortened(name) for name in self._unknown(raw, unknown.name)]

    def _unknown(self, raw: bytes, first: str) -> list[str]:
        """The unknown members, up to a limit; only the first if the body has very many members."""
        if raw.count(b":") > _MOST_COLONS:
            return [first]
        unknown = [name for name in _members.decode(raw) if name not in self._known][:_MOST_TOLD]
        return unknown if first in unknown else [*unknown, first]


def _exact(kind: type[msgspec.Struct]) -> Any:
    """The type, and the types of objects in its lists, in a form that forbids unknown members."""
    listed = [(field, _exact_list(field.type)) for field in msgspec.structs.fields(kind)]
    members = [
        (field.name, exact, msgspec.field(default=field.default, name=field.encode_name))
        for field, exact in listed
        if exact is not None
    ]
    return msgspec.defstruct(
        kind.__name__, members, bases=(kind,), frozen=True, kw_only=True, forbid_unknown_fields=True
    )


def _exact_list(hint: Any) -> Any:
    """None if it is not a list of objects."""
    annotated = get_origin(hint) is Annotated
    inner = hint.__origin__ if annotated else hint
    if get_origin(inner) is not list:
        return None
    (item,) = get_args(inner)
    kinds = get_args(item) or (item,)
    if not all(isinstance(kind, type) and issubclass(kind, msgspec.Struct) for kind in kinds):
        return None
    exact: Any = list[Union[tuple(_exact(kind) for kind in kinds)]]  # type: ignore[misc]  # noqa: UP007
    return Annotated[(exact, *hint.__metadata__)] if annotated else exact


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_TOLD else name[: _LONGEST_TOLD - 1] + "…"
