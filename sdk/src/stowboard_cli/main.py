"""The entry of `stow`: find the command, run it, end with its code. Data goes to stdout, words to stderr."""

import io
import os
import sys
from collections.abc import Sequence

from stowboard_cli.commands import COMMANDS, GROUPS
from stowboard_cli.exits import ERROR, INTERRUPTED, OK, USAGE

_LONGEST = max(len(words) for words in COMMANDS)


def main() -> None:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and sys.platform == "win32":
            stream.reconfigure(encoding="utf-8")  # pipes there have an old code page, which has no "…"
    sys.exit(run(sys.argv[1:]))


def run(words: Sequence[str]) -> int:
    try:
        return _dispatch(list(words))
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe. Python would complain again when it flushes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:
        return _report(error)


def _dispatch(words: list[str]) -> int:
    given, rest = _command_in(words)
    if given is not None:
        from stowboard_cli.running import run_command

        return run_command(given, COMMANDS[given], rest)
    first = words[0] if words else "--help"
    if first == "help" and words[1:]:
        return _dispatch([*words[1:], "--help"])
    if first in ("-h", "--help", "help"):
        sys.stdout.write(_help(list(COMMANDS), "stow", "Media and tasks of a Stowboard installation.", GROUPS))
        return OK
    if first in ("-V", "--version"):
        from importlib.metadata import version

        sys.stdout.write(f"stow {version('stowboard-client')}\n")
        return OK
    if first in GROUPS:
        return _group(first, words[1:])
    return _unknown(first, [*COMMANDS, *GROUPS])


def _command_in(words: list[str]) -> tuple[str | None, list[str]]:
    for size in (2, 1):
        name = " ".join(words[:size])
        if name in COMMANDS:
            return name, words[size:]
    return None, words


def _group(group: str, words: list[str]) -> int:
    inside = [name for name in COMMANDS if name.startswith(f"{group} ")]
    if words and words[0] not in ("-h", "--help"):
        return _unknown(f"{group} {words[0]}", inside)
    sys.stdout.write(_help(inside, f"stow {group}", GROUPS[group], {}))
    return OK


def _unknown(name: str, known: list[str]) -> int:
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    meant = f" Did you mean: stow {near[0]}" if near else " See: stow --help"
    _tell(f"stow: there is no command {name!r}.{meant}")
    return USAGE


def _help(names: list[str], program: str, summary: str, groups: dict[str, str]) -> str:
    lines = [f"usage: {program} COMMAND …", "", summary, ""]
    lines += [f"  {name:<{_LONGEST}}  {COMMANDS[name].summary}" for name in names]
    lines += ["", f"{program} COMMAND --help tells more."]
    if groups:
        lines += ["GNU Stow has a command `stow` too; this one is also `stowboard-client`."]
    return "\n".join(lines) + "\n"


def _report(error: Exception) -> int:
    from stowboard_cli.exits import failure_of

    failure = failure_of(error)
    if failure is None:
        import traceback

        _tell(traceback.format_exc())
        return ERROR
    _tell(f"stow: {failure}")
    return failure.code


def _tell(text: str) -> None:
    from stowboard_cli.output.harmless import tell

    tell(text)
