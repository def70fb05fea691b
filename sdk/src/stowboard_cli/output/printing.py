"""Data on stdout: tables on a terminal, a JSON object a line elsewhere, and either on request."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from stowboard_cli.exits import USAGE, CommandFailure
from stowboard_cli.output.harmless import harmless_json, harmless_lines
from stowboard_cli.output.table import cell_of, table


class Printer:
    def __init__(self, json: bool, fields: str | None, as_table: bool = False) -> None:
        self._fields = [name.strip() for name in fields.split(",")] if fields else None
        self.as_table = as_table or (sys.stdout.isatty() and not json)

    def one(self, thing: Any) -> None:
        """A thing with all its members, or those that were asked for."""
        members = self._chosen(builtins_of(thing))
        if not self.as_table:
            self._line(members)
            return
        width = max((len(name) for name in members), default=0)
        for name, value in members.items():
            self._write(f"{name:<{width}}  {cell_of(name, value)}\n")

    def many(self, things: Iterable[Any], columns: list[str]) -> None:
        """Print a table on a terminal; elsewhere each thing is written as soon as it arrives."""
        if not self.as_table:
            for thing in things:
                self._line(self._chosen(builtins_of(thing)))
            return
        rows = [builtins_of(thing) for thing in things]
        names = self._fields or columns
        for row in rows:
            self._check(names, row)
        for line in table(names, rows):
            self._write(f"{line}\n")

    def text(self, text: str) -> None:
        self._write(f"{harmless_lines(text)}\n")

    def _chosen(self, members: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._fields is None:
            return members
        self._check(self._fields, members)
        return {name: members[name] for name in self._fields}

    def _check(self, names: list[str], members: Mapping[str, Any]) -> None:
        for name in names:
            if name not in members:
                raise CommandFailure(USAGE, f"There is no member {name}; there are {', '.join(members)}.")

    def _line(self, members: Mapping[str, Any]) -> None:
        import msgspec

        self._write(harmless_json(msgspec.json.encode(members).decode()) + "\n")

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def builtins_of(thing: Any) -> Mapping[str, Any]:
    """The members of a thing, by their names in the API."""
    if isinstance(thing, Mapping):
        return thing
    import msgspec

    members: Mapping[str, Any] = msgspec.to_builtins(thing)
    return members
