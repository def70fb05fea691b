"""The tools that a command is given: the client, the printer, and ways to talk to the person."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from stowboard_cli.exits import ERROR, USAGE, CommandFailure
from stowboard_cli.output.harmless import harmless_lines, tell
from stowboard_cli.output.printing import Printer

if TYPE_CHECKING:
    from stowboard_client import Client

#: A command waits long: it may send many requests, and the server may tell some of them to wait.
_RETRIES, _PATIENCE = 10, 600.0


class Stow:
    def __init__(self, given: Namespace, words: Sequence[str]) -> None:
        self._given = given
        self._words = words
        self._ending = ExitStack()
        self.printer = Printer(given.json, given.fields, given.table)
        self.quiet: bool = given.quiet
        #: As it was given: a name, an id, `own` or `all`.
        self._space: str | None = getattr(given, "in_space", None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ending.close()

    @cached_property
    def client(self) -> "Client":
        """The client of the chosen installation, in the chosen space.

        Raises CommandFailure if nobody is signed in, or there is no such space.
        """
        from stowboard_cli.profiles.chosen import open_client
        from stowboard_cli.profiles.repeats import Repeats
        from stowboard_cli.profiles.space import get_space_id

        repeats = self._ending.enter_context(Repeats(self._words))
        opened = self._ending.enter_context(open_client(self._given.profile, hooks=repeats.hooks))
        client, space = opened.with_options(retries=_RETRIES, patience=_PATIENCE), self._space
        return client.with_options(space=get_space_id(client, space)) if space else client

    @property
    def space_column(self) -> list[str]:
        """The column that shows the space of a row, for lists over all spaces."""
        return ["spaceId"] if self._space == "all" else []

    def say(self, text: str) -> None:
        if not self.quiet:
            tell(text)

    def show(self, thing: Any) -> None:
        self.printer.one(thing)

    def list(self, things: Any, columns: list[str]) -> None:
        self.printer.many(things, columns)

    def require_yes(self, question: str) -> None:
        """Ask before something that cannot be undone. Raises CommandFailure unless the person agrees."""
        if self._given.yes:
            return
        if not sys.stdin.isatty():
            raise CommandFailure(USAGE, f"{question} Add --yes to do it without being asked.")
        sys.stderr.write(f"{harmless_lines(question)} [y/N] ")
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise CommandFailure(ERROR, "Nothing was done.")
