"""What the run of a suite leaves: its raw figures as JSON, so that one part can be measured again later.

Read back, a row knows its contenders by name only; they do not run a second time.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.harness.figures import Asked, Outcome, Row, Sample


@dataclass(slots=True)
class Record:
    suite: str
    title: str
    measured: str  # when it began, in UTC
    commit: str
    command: str
    machine: dict[str, str]
    versions: dict[str, str]
    outcomes: list[Outcome] = field(default_factory=list)
    error: str = ""  # why the suite could not go on


def write(record: Record, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plain = {name: getattr(record, name) for name in Record.__slots__}
    plain["outcomes"] = [_plain(outcome) for outcome in record.outcomes]
    (folder / f"{record.suite}.json").write_text(json.dumps(plain, indent=1) + "\n")


def read(file: Path) -> Record:
    plain = json.loads(file.read_text())
    return Record(**plain | {"outcomes": [_outcome(outcome) for outcome in plain["outcomes"]]})


def _plain(outcome: Outcome) -> dict[str, Any]:
    row = outcome.row
    shown = {name: getattr(row, name) for name in ("work", "unit", "missing", "note", "cost")}
    return shown | {
        "contenders": list(row.contenders),
        "asked": [asdict(asked) for asked in row.asked],
        "samples": {name: [asdict(sample) for sample in samples] for name, samples in outcome.samples.items()},
        "void": outcome.void,
    }


def _outcome(plain: dict[str, Any]) -> Outcome:
    row = Row(
        work=plain["work"],
        unit=plain["unit"],
        contenders=dict.fromkeys(plain["contenders"], _is_over),
        asked=tuple(Asked(**asked) for asked in plain["asked"]),
        missing=tuple(plain["missing"]),
        note=plain["note"],
        cost=plain["cost"],
    )
    samples = {name: [Sample(**sample) for sample in samples] for name, samples in plain["samples"].items()}
    return Outcome(row, samples, plain["void"])


def _is_over(_seconds: float) -> Sample:
    raise RuntimeError("this row was read from a file")
