"""The entry of `stowboard`: finds the command, runs it, exits with its code. A command is loaded when it is run."""

import os
import sys
from collections.abc import Sequence

from stowboard import __version__
from stowboard.cli.commands import COMMANDS, GROUPS
from stowboard.cli.exits import INTERRUPTED, OK, USAGE, CommandFailure
from stowboard.core.settings.sources import WrongSetting

_WIDTH = max(len(name) for name in COMMANDS)
_HELP = ("-h", "--help", "help")


def main() -> None:
    sys.exit(run(sys.argv[1:]))


def run(words: Sequence[str]) -> int:
    """A failure that is expected is one sentence on standard error, without a traceback."""
    try:
        return _dispatch(list(words))
    except CommandFailure as failure:
        return _report(failure, failure.code)
    except WrongSetting as error:
        return _report(error, USAGE)
    except KeyboardInterrupt:
        return _report("interrupted.", INTERRUPTED)
    except BrokenPipeError:
        # The reader has closed the pipe. Python would complain again when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK


def _report(sentence: object, code: int) -> int:
    print(f"stowboard: {sentence}", file=sys.stderr)
    return code


def _dispatch(words: list[str]) -> int:
    for length in (2, 1):
        name = " ".join(words[:length])
        if name in COMMANDS:
            from stowboard.cli.running import run_command

            return run_command(name, words[length:])
    first, *others = words or ["--help"]
    if first in _HELP:
        return _print_help("stowboard", "Media and tasks behind one REST API. Start with: stowboard serve", "")
    if first == "--version":
        print(f"stowboard {__version__}")
        return OK
    if first in GROUPS and (not others or others[0] in _HELP):
        return _print_help(f"stowboard {first}", GROUPS[first], f"{first} ")
    return _refuse(" ".join(words[: 2 if first in GROUPS else 1]))


def _print_help(program: str, summary: str, beginning: str) -> int:
    names = [name for name in COMMANDS if name.startswith(beginning)]
    lines = [f"  {name:<{_WIDTH}}  {COMMANDS[name].summary}" for name in names]
    print(f"usage: {program} COMMAND …", summary, "\n".join(lines), f"{program} COMMAND --help tells more.", sep="\n\n")
    return OK


def _refuse(name: str) -> int:
    from difflib import get_close_matches

    near = get_close_matches(name, [*COMMANDS, *GROUPS], 1)
    hint = f"Did you mean: stowboard {near[0]}" if near else "See: stowboard --help"
    return _report(f"there is no command {name!r}. {hint}", USAGE)
