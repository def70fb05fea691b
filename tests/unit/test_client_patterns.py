"""No pattern of the Python client or of `stow` may hang a program: whatever a text repeats, it is through with it.

Each is given the shortest text that leads to one of its parts, 100,000 times that part, and an end that fits or does
not. console/src/patterns.test.ts does the same for the console and the TypeScript client."""

import ast
import re
import signal
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import stowboard_cli
import stowboard_client

_REPEATED = 100_000
#: Of the processor's time. A pattern that is linear takes milliseconds; one that is not takes minutes.
_MOST_SECONDS = 2
_ENDS = ("!", "b\u2028c")
_LETTERS = [" ", "a", "0", "-", "\n", "\u2028", *map(chr, range(32, 127))]
_SOURCES = [Path(str(package.__file__)).parent for package in (stowboard_client, stowboard_cli)]


def _patterns(folder: Path) -> set[str]:
    """First arguments of `re.compile` and its siblings."""
    found: set[str] = set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
                found |= {str(node.args[0].value)} if isinstance(node.args[0], ast.Constant) else set()
    return found


def _letters(item: Any) -> list[str]:
    """The letters, a few of each kind, that a part of one letter takes."""
    name, value = str(item[0]), item[1]
    if name == "LITERAL":
        return [chr(value)]
    if name == "ANY":
        return ["x"]
    if name == "NOT_LITERAL":
        return [letter for letter in _LETTERS if ord(letter) != value][:3]
    kinds = {"CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s", "CATEGORY_WORD": r"\w"}
    kinds |= {"CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_NOT_SPACE": r"\S", "CATEGORY_NOT_WORD": r"\W"}

    def takes(each: Any, letter: str) -> bool:
        kind, what = str(each[0]), each[1]
        if kind == "CATEGORY":
            return bool(re.match(kinds[str(what)], letter))
        return bool(what[0] <= ord(letter) <= what[1] if kind == "RANGE" else ord(letter) == what)

    negated = str(value[0][0]) == "NEGATE"
    inside = value[1:] if negated else value
    taken = [letter for letter in _LETTERS if any(takes(each, letter) for each in inside) != negated]
    return [*dict.fromkeys([*taken[:3], *taken[-1:]])]


def _parts(item: Any) -> list[Sequence[Any]]:
    """The sequences inside a part, of which one is matched."""
    name, value = str(item[0]), item[1]
    if name == "SUBPATTERN":
        return [value[-1]]
    if name == "BRANCH":
        return list(value[1])
    return [value[2]] if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"} else []


def _sample(items: Sequence[Any], full: bool) -> str:
    """A short text that they match; with `full`, what may be left out is there once."""
    text = ""
    for item in items:
        name = str(item[0])
        if "REPEAT" in name:
            text += _sample(item[1][2], full) * max(item[1][0], int(full))
        elif _parts(item):
            text += _sample(_parts(item)[0], full)
        elif name in {"LITERAL", "NOT_LITERAL", "ANY", "IN"}:
            text += _letters(item)[0]
    return text


def _repeats(items: Sequence[Any], full: bool, before: str = "") -> Iterator[tuple[str, str]]:
    """Each part that repeats: the text before it, and the text that it repeats."""
    for at, item in enumerate(items):
        start = before + _sample(items[:at], full)
        if "REPEAT" in str(item[0]):
            inner = item[1][2]
            single = len(inner) == 1 and not _parts(inner[0])
            yield from ((start, unit) for unit in (_letters(inner[0]) if single else [_sample(inner, True)]))
        for part in _parts(item):
            yield from _repeats(part, full, start)


def _hostile_texts(pattern: str) -> Iterator[str]:
    parser: Any = import_module("re._parser")
    items = parser.parse(pattern)
    parts = {part for full in (False, True) for part in _repeats(items, full)}
    for before, unit in {*parts, *(("", unit) for _, unit in parts)}:
        for end in _ENDS:
            yield before + unit * (_REPEATED // max(1, len(unit))) + end


def test_no_pattern_of_the_clients_hangs_on_a_text_that_repeats_what_it_looks_for() -> None:
    patterns = set().union(*map(_patterns, _SOURCES))
    assert len(patterns) > 5
    assert [pattern for pattern in patterns if _hangs(pattern)] == []


def test_a_pattern_that_hangs_is_found() -> None:
    assert _hangs(r"#\s*(.*?)\s*$")


def _hangs(pattern: str) -> bool:
    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
    try:
        for text in _hostile_texts(pattern):
            re.search(pattern, text)
    except TimeoutError:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return False
