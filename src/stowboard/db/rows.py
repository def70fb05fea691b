"""Structs as rows: a column for each field, in their order and by their names (those of `rename`, where there is one).

Flags are 0 and 1. Values that are not plain are text: JSON, or words with spaces between them.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec.structs import FieldInfo

from stowboard.core.decoding import examine
from stowboard.db.database import Row, Value

S = TypeVar("S", bound=msgspec.Struct)
_encode = msgspec.json.Encoder().encode


def numbered(count: int, first: int = 1) -> str:
    """`count` parameters of a statement: `$1, $2, $3`."""
    return ", ".join(f"${number}" for number in range(first, first + count))


class Columns(Generic[S]):
    """`names` for the SELECT, `read` for its row; `names`, `parameters` and `values` for a write."""

    def __init__(self, struct: type[S], *in_json: str, in_words: Sequence[str] = ()) -> None:
        fields = msgspec.structs.fields(struct)
        self._struct = struct
        examine(struct)
        self._forms = [
            (number, form) for number, field in enumerate(fields) if (form := _form(field, in_json, in_words))
        ]
        self.fields = tuple(field.encode_name for field in fields)
        self.names = ", ".join(self.fields)
        self.parameters = numbered(len(fields))

    def read(self, row: Row) -> S:
        values = list(row)
        for number, form in self._forms:
            if values[number] is not None:
                values[number] = form.read(values[number])
        return msgspec.convert(dict(zip(self.fields, values, strict=True)), self._struct)

    def read_all(self, rows: Sequence[Row]) -> list[S]:
        return [self.read(row) for row in rows]

    def values(self, item: S) -> list[Value]:
        values = list(msgspec.structs.astuple(item))
        for number, form in self._forms:
            if values[number] is not None:
                values[number] = form.write(values[number])
        return values


class _Form(NamedTuple):
    """How a field's value is written to its column, and read from there."""

    write: Callable[[Any], Value]
    read: Callable[[Any], Any]


def _form(field: FieldInfo, in_json: Sequence[str], in_words: Sequence[str]) -> _Form | None:
    if field.name in in_json:
        return _Form(lambda value: _encode(value).decode(), msgspec.json.Decoder(field.type).decode)
    if field.name in in_words:
        return _Form(" ".join, str.split)
    if field.type is bool:
        return _Form(int, bool)
    return None
