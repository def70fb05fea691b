"""The table on the terminal, and RESULTS.md.

RESULTS.md is rendered from the files in bench/results, one section per suite: figures in `<suite>.json`, a chart in
`<suite>.svg`, and in `<suite>.md`, if somebody wrote one, what there is to say about them. So one suite can be measured
again while the others' sections stay, each with its own date and commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.report import record, table
from bench.report.record import Record

PLAN = ["api", "tasks", "media", "tus", "cluster"]
SOAK = "soak"  # writes its own text
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
    """What was asked and is not shown to be reached; a must that could not be measured is one of them."""
    found = [
        f"{outcome.row.work}{f' against {asked.against}' if asked.against else ''}: {table.wanted(outcome, asked)}"
        f" asked, {_got(table.verdict(outcome, asked))}"
        for suite in done
        for outcome in suite.outcomes
        for asked in outcome.row.asked
        if asked.must == musts and outcome.reached(asked) is not True
    ]
    return found + [f"{suite.title}: broken, {suite.error}" for suite in done if suite.error and musts]


def write_results(file: Path, folder: Path) -> None:
    """RESULTS.md from what the folder holds."""
    done = [record.read(found) for name in PLAN if (found := folder / f"{name}.json").exists()]
    sections = [INTRODUCTION, *_summary(done), *(section for one in done for section in _section(one, folder, done))]
    soak = folder / f"{SOAK}.md"
    sections += [soak.read_text()] if soak.exists() else []
    file.write_text("\n".join(section.rstrip() + "\n" for section in sections))


def _summary(done: list[Record]) -> Iterator[str]:
    if not done:
        return
    latest = _latest(done)
    facts = [f"| {name} | {value} |" for name, value in latest.machine.items()]
    versions = ", ".join(f"{name} {value}" for name, value in latest.versions.items())
    yield "\n".join(["## Machine and versions", "", "| | |", "|---|---|", *facts, f"| versions | {versions} |"])
    yield "## Asked and not reached"
    lines = [f"- **A must:** {line}" for line in unreached(done, musts=True)]
    lines += [f"- {line}" for line in unreached(done, musts=False)]
    yield "\n".join(lines or ["Everything that is asked is reached."])


def _section(one: Record, folder: Path, everyone: list[Record]) -> Iterator[str]:
    yield f"## {one.title}"
    yield f"Measured {one.measured} at commit {one.commit} by `{one.command}`{_other_facts(one, _latest(everyone))}."
    if one.outcomes:
        yield _markdown(one)
    if (folder / f"{one.suite}.svg").exists():
        yield f"![{one.title}]({folder.name}/{one.suite}.svg)"
    yield "\n".join(f"- {remark}" for remark in remarks(one))
    if (text := folder / f"{one.suite}.md").exists():
        yield text.read_text()


def _latest(done: list[Record]) -> Record:
    return max(done, key=lambda one: one.measured)


def _other_facts(one: Record, latest: Record) -> str:
    """What was different when this suite was measured."""
    now = latest.machine | latest.versions
    others = [f"{name} {value}" for name, value in (one.machine | one.versions).items() if now.get(name) != value]
    return f", there with {', '.join(others)}" if others else ""


def _markdown(one: Record) -> str:
    rows = [table.HEADER, ["---"] * len(table.HEADER), *table.lines(one.outcomes)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def _got(verdict: str) -> str:
    return "not measured" if verdict.lower() == "not measured" else "not reached"
