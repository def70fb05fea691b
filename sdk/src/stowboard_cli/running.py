"""One command: its options, and the tools that it is given."""

import argparse
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import getdoc
from typing import NoReturn

from stowboard_cli.commands import MANY, Command
from stowboard_cli.exits import USAGE, CommandFailure


def run_command(name: str, command: Command, words: Sequence[str]) -> int:
    parser, run = parser_of(name, command)
    given = parser.parse_args(words)
    from stowboard_cli.stow import Stow

    with Stow(given, [name, *words]) as stow:
        return run(stow, given) or 0


def parser_of(name: str, command: Command) -> tuple[argparse.ArgumentParser, Callable[..., int | None]]:
    module = import_module(f"stowboard_cli.{command.module}")
    run = getattr(module, command.function)
    parser = CommandParser(
        f"stow {name}", description=getdoc(run) or module.__doc__, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    add_arguments = getattr(module, f"{command.function}_arguments", None)
    if add_arguments is not None:
        add_arguments(parser)
    if command.spaces:
        named = "its name or id, or all" if command.spaces == MANY else "its name or id"
        parser.add_argument(
            "--space", dest="in_space", metavar="SPACE", default=os.environ.get("STOW_SPACE"),
            type=str if command.spaces == MANY else _one_space, help=f"{named}; see: stow space ls",
        )  # fmt: skip
    common = parser.add_argument_group("for every command")
    common.add_argument("--profile", metavar="NAME", help="the installation to speak to; see: stow profile ls")
    form = common.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="JSON lines, also on a terminal")
    form.add_argument("--table", action="store_true", help="a table, also in a pipe or a file")
    common.add_argument("--fields", metavar="A,B", help="only these members, such as id,title,dueAt")
    common.add_argument("-q", "--quiet", action="store_true", help="print data and errors only")
    return parser, run


def _one_space(text: str) -> str:
    if text == "all":
        raise argparse.ArgumentTypeError("all is for lists; name one space")
    return text


class CommandParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """A wrong option is a sentence, as every failure is."""
        raise CommandFailure(USAGE, f"{message}. See: {self.prog} --help")
