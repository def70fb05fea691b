"""Bodies whose unknown members are passed over, and told of: whoever misspells a member hears of it.

Types that forbid such members are tried first, which costs a body without them nothing. Names are collected only where
there are few members: to collect a million of them would take longer than the request.
"""

from typing import Any, Generic, TypeVar

import msgspec

from stowboard.core.decoding import UnknownMember, decode_json

S = TypeVar("S", bound=msgspec.Struct)
_MOST_TOLD = 20
_LONGEST_TOLD = 100
_MOST_COLONS = 1000
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


class ForgivingDecoder(Generic[S]):
    def __init__(self, kind: type[S]) -> None:
        exact: Any = msgspec.defstruct(kind.__name__, [], bases=(kind,), frozen=True, forbid_unknown_fields=True)
        self._exact: msgspec.json.Decoder[S] = msgspec.json.Decoder(exact)
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
        """All of them, up to a number; of a body with very many members the first alone."""
        if raw.count(b":") > _MOST_COLONS:
            return [first]
        return [name for name in _members.decode(raw) if name not in self._known][:_MOST_TOLD]


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_TOLD else name[: _LONGEST_TOLD - 1] + "…"
