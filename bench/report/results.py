"""The table on the terminal, and RESULTS.md.

RESULTS.md has a section for each suite on each kind of processor. A run writes the sections of its suites and its
processor again and leaves the others as they are, each with its own machine, date and commit. The chart of a section is
`results/<suite>-<processor>.svg`; the text of `results/<suite>-<processor>.md`, if somebody wrote one, ends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bench.report import table
from bench.report.record import Record

PLAN = ["api", "tasks", "spaces", "notifications", "media", "tus", "cluster"]
INTRODUCTION = """\
# Results

Made by `make bench`; [README.md](README.md) says how each figure comes about and how to read the tables. Load generator
and servers share the machine's cores, so only figures of the same table belong together.
"""


def printed(done: Record) -> str:
    """One suite for a terminal: the table, and below it what the table does not say."""
    rows = [table.HEADER, *table.lines(done.outcomes)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([f"\n{done.title}", *(lines if done.outcomes else []), *remarks(done)])


def remarks(done: Record) -> list[str]:
    """Notes, peers that are missing, answers that were wrong, and how the suite broke."""
    found = [f"Note, {outcome.row.work}: {outcome.row.note}" for outcome in done.outcomes if outcome.row.note]
    missing = dict.fromkeys(reason for outcome in done.outcomes for reason in outcome.row.missing)
    found += [f"MISSING {reason}" for reason in missing]
    found += [
        f"VOID {outcome.row.work}, {name}: {reason}"
        for outcome in done.outcomes
        for name, reason in outcome.void.items()
    ]
    return found + ([f"BROKEN The suite did not end: {done.error}"] if done.error else [])


def unreached(done: list[Record], musts: bool) -> list[str]:
    """The requirements that are not shown to be met; one that could not be measured is among them."""
    found = [
        f"{outcome.row.work}{f' against {asked.against}' if asked.against else ''}: {table.wanted(outcome, asked)}"
        f" asked, {_got(table.verdict(outcome, asked))}"
        for suite in done
        for outcome in suite.outcomes
        for asked in outcome.row.asked
        if asked.must == musts and outcome.reached(asked) is not True
    ]
    return found + [f"{suite.title}: broken, {suite.error}" for suite in done if suite.error and musts]


def write_results(file: Path, *sections: str) -> None:
    """Puts each section in the place of the one with the same heading, in alphabetical order."""
    text = file.read_text() if file.exists() else INTRODUCTION
    parts = {part.partition("\n")[0]: part for part in re.split(r"^(?=## )", text, flags=re.MULTILINE)}
    parts |= {section.partition("\n")[0]: section for section in sections}
    file.write_text("\n".join(parts[heading].rstrip() + "\n" for heading in sorted(parts)))


def section(one: Record, folder: Path) -> str:
    return "\n\n".join(part for part in _parts(one, folder) if part)


def _parts(one: Record, folder: Path) -> Iterator[str]:
    yield f"## {one.heading}"
    facts = ", ".join(f"{name} {value}" for name, value in (one.machine | one.versions).items())
    yield f"Measured {one.measured} at commit {one.commit} by `{one.command}`, with {facts}."
    missed = [f"- **A must, not reached:** {line}" for line in unreached([one], musts=True)]
    yield "\n".join(missed + [f"- Not reached: {line}" for line in unreached([one], musts=False)])
    if one.outcomes:
        yield _markdown(one)
    if (folder / f"{one.file_name}.svg").exists():
        yield f"![{one.heading}]({folder.name}/{one.file_name}.svg)"
    yield "\n".join(f"- {remark}" for remark in remarks(one))
    if (text := folder / f"{one.file_name}.md").exists():
        yield text.read_text()


def _markdown(one: Record) -> str:
    rows = [table.HEADER, ["---"] * len(table.HEADER), *table.lines(one.outcomes)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def _got(verdict: str) -> str:
    return "not measured" if verdict.lower() == "not measured" else "not reached"
