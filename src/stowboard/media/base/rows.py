"""Structs as rows: a column for each field, in their order, those that are not plain values as JSON."""

from typing import Any, Generic, TypeVar

import msgspec

from stowboard.db.database import Row, Value

S = TypeVar("S", bound=msgspec.Struct)
_encode = msgspec.json.Encoder().encode


class Columns(Generic[S]):
    """`names` for the SELECT, `read` for its row, `values` for the arguments of a write."""

    def __init__(self, struct: type[S], *in_json: str) -> None:
        fields = msgspec.structs.fields(struct)
        self._struct = struct
        self.fields = [field.name for field in fields]
        self._json = set(in_json)
        self._decoders = {
            number: msgspec.json.Decoder(field.type) for number, field in enumerate(fields) if field.name in self._json
        }
        self.names = ", ".join(self.fields)
        self.parameters = ", ".join(f"${number + 1}" for number in range(len(fields)))

    def read(self, row: Row) -> S:
        values: list[Any] = list(row)
        for number, decoder in self._decoders.items():
            if values[number] is not None:
                values[number] = decoder.decode(values[number])
        return msgspec.convert(dict(zip(self.fields, values, strict=True)), self._struct)

    def values(self, item: S) -> list[Value]:
        return [
            _encode(value).decode() if name in self._json and value is not None else value
            for name, value in ((name, getattr(item, name)) for name in self.fields)
        ]
