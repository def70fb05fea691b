"""`python -m bench`: the suites one after the other, their tables on the terminal, RESULTS.md and charts on disk."""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

from bench.harness import machine, rounds
from bench.harness.progress import Progress
from bench.report import charts
from bench.report import results as report
from bench.report.record import Record

RESULTS = Path(__file__).parent / "RESULTS.md"
ROUNDS, TURN_SECONDS = 5, 4.0
QUICK_ROUNDS, QUICK_TURN_SECONDS = 1, 1.0
DESCRIPTION = """\
Stowboard beside what people would pick instead, in one run on one machine.

The peers are installed at the first use (bench/.peers) and seeded with the same data. Every contender takes its turn
in every round, after a warm-up that is thrown away, and its answers are checked: a wrong one voids its row. What is
printed are medians over the rounds. Peers that cannot be had are named as missing.

suites, in the order in which they run:
  api            one request against the bare server below us; memory at rest; a start
  tasks          list, get and create against PocketBase, and against FastAPI with SQLAlchemy on PostgreSQL
  spaces         tasks with a token of 20 spaces, a million tasks in 200 spaces, and beside a build without spaces
  notifications  requests while 100,000 notifications are made, and while none are
  media          thumbnails, downloads and uploads against PocketBase, thumbor, ipx and nginx
  tus            resumable uploads, synced to disk, against @tus/server
  cluster        the same service on PostgreSQL, S3 and Valkey, with more than one process
"""
EPILOG = """\
examples:
  python -m bench                    all suites: below 20 minutes on two cores
  python -m bench tasks media        these two; the other suites keep their sections in RESULTS.md
  python -m bench --quick            a minute's look: one short round, nothing is written

The exit code is 0 if every must of the suites that ran was measured and reached, otherwise 1.
"""


def main() -> int:
    chosen = _arguments()
    # Every program that the suites started has to be stopped, however we end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    names = [name for name in report.PLAN if not chosen.suites or name in chosen.suites]
    progress = Progress(sum(_expected_seconds(name, chosen.quick) for name in names))
    done = []
    for name in names:
        one = _measure(name, progress, chosen.quick)
        progress.done()
        print(report.printed(one), flush=True)
        done.append(one)
        if file := chosen.out or (None if chosen.quick else RESULTS):
            _keep(one, file)
    return _conclude(done)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m bench", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("suites", nargs="*", metavar="suite", help=f"{', '.join(report.PLAN)}; without any: all")
    parser.add_argument("--quick", action="store_true", help="one short round of everything, to see that it works")
    out = "the report; charts go into results/ beside it (default: bench/RESULTS.md; none with --quick)"
    parser.add_argument("--out", type=Path, metavar="FILE", help=out)
    chosen = parser.parse_args()
    if unknown := set(chosen.suites) - set(report.PLAN):
        parser.error(f"there is no suite {', '.join(sorted(unknown))}; there are {', '.join(report.PLAN)}")
    return chosen


def _expected_seconds(name: str, quick: bool) -> float:
    try:
        suite = _suite(name)
    except Exception:  # it will be told when its turn comes
        return 0.0
    return float(suite.QUICK_SECONDS if quick else suite.SECONDS)


def _suite(name: str) -> Any:
    return importlib.import_module(f"bench.suites.{name}")


def _measure(name: str, progress: Progress, quick: bool) -> Record:
    """The outcome, up to where it broke if it did."""
    one = Record(
        suite=name,
        title=name.capitalize(),
        processor=machine.processor(),
        measured=time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        commit=machine.commit(),
        command=" ".join(["python -m bench", *sys.argv[1:]]),
        machine=machine.describe(),
        versions={},
    )
    try:
        _run(_suite(name), one, progress, quick)
    except Exception as error:  # the other suites go on
        progress.done()
        traceback.print_exc()
        one.error = f"{type(error).__name__}: {error}".splitlines()[0][:300]
    one.versions = machine.versions()  # only now: the suite may have installed them
    return one


def _run(suite: Any, one: Record, progress: Progress, quick: bool) -> None:
    one.title = suite.TITLE
    turns, seconds = (QUICK_ROUNDS, QUICK_TURN_SECONDS) if quick else (ROUNDS, TURN_SECONDS)
    with (
        tempfile.TemporaryDirectory(prefix="stowboard-bench-", ignore_cleanup_errors=True) as folder,
        suite.rows(Path(folder), progress, quick) as rows,
    ):
        for row in rows:
            one.outcomes.append(rounds.run(row, turns, seconds, progress))


def _keep(one: Record, file: Path) -> None:
    folder = file.parent / "results"
    folder.mkdir(parents=True, exist_ok=True)
    charts.write(one, folder / f"{one.file_name}.svg")
    report.write_results(file, report.section(one, folder))


def _conclude(done: list[Record]) -> int:
    missed = report.unreached(done, musts=True)
    print("\n" + "\n".join([f"MUST: {line}" for line in missed] or ["Every must of these suites is reached."]))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
