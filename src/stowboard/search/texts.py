"""Conditions on the texts of documents, in SQL. Only the name of one function differs between the databases."""

from collections.abc import Iterable

from stowboard.db.scan import SqlArguments
from stowboard.search.asked import ParsedQuery
from stowboard.search.document import part_of_text, tag_mark

_AT = {"sqlite": "instr", "postgres": "strpos"}


def conditions(dialect: str, arguments: SqlArguments, parts: Iterable[str], not_parts: Iterable[str]) -> list[str]:
    """A document `d` has each of `parts` and none of `not_parts`."""
    has = [_has(dialect, arguments.add(part)) for part in parts]
    return has + [f"NOT {_has(dialect, arguments.add(part))}" for part in not_parts]


def all_conditions(dialect: str, arguments: SqlArguments, asked: ParsedQuery) -> list[str]:
    """A document `d` has the words and tags of the query, as its texts alone tell."""
    parts = [*map(part_of_text, asked.needles), *map(_mark, asked.tags)]
    not_parts = [*map(part_of_text, asked.not_needles), *map(_mark, asked.not_tags)]
    return conditions(dialect, arguments, parts, not_parts)


def matches(dialect: str, arguments: SqlArguments, asked: ParsedQuery, subject: str) -> str:
    """The thing with this id has the words and tags of the query."""
    told = all_conditions(dialect, arguments, asked)
    return f"EXISTS (SELECT 1 FROM search_document AS d WHERE {' AND '.join([f'd.id = {subject}', *told])})"


def score(dialect: str, arguments: SqlArguments, asked: ParsedQuery) -> str:
    """Points for the title of `d`: 2 for each needle that it has, 1 for each that it has as the beginning of a word."""
    at, points = _AT[dialect], []
    for needle in asked.needles:
        part = part_of_text(needle)
        whole, begun = arguments.add(f"{part.rstrip()} "), arguments.add(part)
        points.append(f"CASE WHEN {at}(d.title, {whole}) > 0 THEN 2 WHEN {at}(d.title, {begun}) > 0 THEN 1 ELSE 0 END")
    return " + ".join(points) or "0"


def _has(dialect: str, part: str) -> str:
    at = _AT[dialect]
    return f"({at}(d.rest, {part}) > 0 OR {at}(d.title, {part}) > 0)"


def _mark(tag: str) -> str:
    return f" {tag_mark(tag)} "
