"""Interleaved rounds: every contender takes its turn in every round, so a slow minute of the machine hits them all.

One round of warm-up is thrown away. The order turns with each round, so nobody always runs after the same neighbour.
What a turn has written without asking the disk to keep it is on the disk before the next, which would else wait for it.
"""

from __future__ import annotations

import os

from bench.harness.figures import Outcome, Row, Sample, Void
from bench.harness.progress import Progress


def run(row: Row, rounds: int, seconds: float, progress: Progress) -> Outcome:
    """All rounds of one row. A contender whose answer was wrong is void and takes no further turn."""
    outcome = Outcome(row)
    names = list(row.contenders)
    rounds, seconds = row.rounds or rounds, row.seconds or seconds
    for turn in range(rounds + 1):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            progress.say(f"{row.work}: {name}, " + (f"round {turn} of {rounds}" if turn else "warm-up"))
            os.sync()
            sample = _take(outcome, name, seconds if turn else max(1.0, seconds / 3))
            if turn and sample:
                outcome.samples.setdefault(name, []).append(sample)
    return outcome


def _take(outcome: Outcome, name: str, seconds: float) -> Sample | None:
    if name in outcome.void:
        return None
    try:
        return outcome.row.contenders[name](seconds)
    except Void as wrong:
        outcome.void[name] = str(wrong)
        return None
