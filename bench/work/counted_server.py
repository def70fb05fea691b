"""A server whose calls are counted: the program `stowboard` with a profiler on its event loop.

The program is run as `python -m bench.work.counted_server FILE serve …`. It counts from SIGUSR1 to SIGUSR2, and then
writes what `own_calls` tells to the file.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Mapping
from cProfile import Profile
from pathlib import Path
from typing import IO

from bench.harness.load import Load, wrk
from bench.harness.machine import ROOT
from bench.harness.servers import OwnCalls, Process, Server, launch_program, own_calls

SECONDS = 3.0


class CountedServer(Server):
    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        super().__init__(folder, environment, launch=self._launch_counting)
        self._counts = folder / "counts.json"

    def measure(self, load: Load) -> tuple[list[OwnCalls], float]:
        """The calls under that load; and the processor time of a request, while nothing is counted."""
        wrk(load, self.pid, 1.0)
        micros = wrk(load, self.pid, SECONDS).cpu_us or 0.0
        self.signal(signal.SIGUSR1)
        wrk(load, self.pid, SECONDS)
        self.signal(signal.SIGUSR2)
        while not self._counts.exists():
            time.sleep(0.05)
        counted = [OwnCalls(*each) for each in json.loads(self._counts.read_text())]
        self._counts.unlink()
        return counted, micros

    def _launch_counting(
        self, command: list[str], environment: Mapping[str, str], output: IO[bytes], errors: IO[bytes], _: Path
    ) -> Process:
        counting = [sys.executable, "-m", "bench.work.counted_server", str(self._counts), *command[1:]]
        return launch_program(counting, environment, output, errors, ROOT)


def _serve(file: Path, words: list[str]) -> int:
    from stowboard.cli.main import run

    profile = Profile()

    def write() -> None:
        profile.disable()
        draft = file.with_suffix(".draft")
        draft.write_text(json.dumps(own_calls(profile)))
        draft.rename(file)
        profile.clear()

    signal.signal(signal.SIGUSR1, lambda *_: profile.enable())
    signal.signal(signal.SIGUSR2, lambda *_: write())
    return run(words)


if __name__ == "__main__":
    sys.exit(_serve(Path(sys.argv[1]), sys.argv[2:]))
