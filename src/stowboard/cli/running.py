"""One command: its options, and the settings that it works with."""

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import NoReturn

from stowboard.cli.commands import COMMANDS
from stowboard.cli.exits import USAGE, fail
from stowboard.settings import Settings, load_settings

#: Options that are settings, and win over the environment and the file.
_SETTINGS = ("data_dir", "host", "port", "workers")


def run_command(name: str, words: Sequence[str]) -> int:
    parser, run = parser_of(name)
    given = parser.parse_args(words)
    options = {option: getattr(given, option, None) for option in _SETTINGS}
    return run(load_settings(options, file=given.config), given) or 0


def parser_of(name: str) -> tuple[argparse.ArgumentParser, Callable[[Settings, argparse.Namespace], int | None]]:
    command = COMMANDS[name]
    module = import_module(f"stowboard.cli.{command.module}")
    run = getattr(module, command.function)
    parser = CommandParser(
        f"stowboard {name}", description=getdoc(run) or module.__doc__, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    getattr(module, f"{command.function}_arguments", _no_arguments)(parser)
    common = parser.add_argument_group("for every command")
    common.add_argument(
        "--data-dir", type=Path, metavar="FOLDER", help="the embedded database and files; default: ./data"
    )
    common.add_argument(
        "--config", type=Path, metavar="FILE", help="settings in TOML; default: $STOWBOARD_CONFIG, if set"
    )
    return parser, run


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    """For commands without options of their own."""


class CommandParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """A wrong option is a sentence, as every failure is."""
        fail(f"{message}. See: {self.prog} --help.", USAGE)


def number_between(least: int, most: int) -> Callable[[str], int]:
    """The type of an option."""

    def read(text: str) -> int:
        if text.isascii() and text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")

    return read
