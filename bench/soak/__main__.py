"""`python -m bench.soak`: a million tasks and five minutes of mixed load, as a service has it that is used by many.

The server runs on its defaults (one worker, SQLite), but for the rate limit. First its maximum is measured with closed
loops. Then requests come at 60 % of it, or at the given rate, in an open loop, whatever the server does. Every answer
is checked. The exit code is 1 if an answer was wrong, if a kind of request took too long, or if latency or memory grew.

Generator and server share the machine's processors, so the maximum is that of both together. `--quick` is a look at
whether it works; its figures are printed, and kept only where `--out` says.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from bench.harness import machine
from bench.harness.processes import cpu_seconds, memory_mb
from bench.harness.progress import Progress
from bench.harness.servers import UNLIMITED, Server
from bench.report import results as report
from bench.soak.chart import draw
from bench.soak.report import section, verdicts
from bench.soak.seed import seed

RESULTS = Path(__file__).parents[1] / "RESULTS.md"
CLOSED_CONNECTIONS = (8, 16, 32, 64, 128)
CLOSED_SECONDS, QUICK_CLOSED_SECONDS = 5.0, 2.0
LEAST_MINUTES = 0.5
_MEMORY_SECONDS = 5.0
_SEED_SECONDS_A_TASK = 250e-6


def main(words: list[str]) -> int:
    options = _options(words)
    # Every program that was started has to be stopped, however we end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    progress = Progress(_expected_seconds(options))
    with tempfile.TemporaryDirectory(prefix="stowboard-soak-") as folder:
        data = _facts(words) | _soak(Path(folder), options, progress)
    progress.done()
    print(section(data))
    if file := options.out or (None if options.quick else RESULTS):
        _keep(data, file)
    return 0 if all(verdict.reached for verdict in verdicts(data)) else 1


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m bench.soak", description="Steady load on a million tasks.")
    parser.add_argument("--minutes", type=float, help="of the open loop (5)")
    parser.add_argument("--tasks", type=int, help="in the database (1,000,000)")
    parser.add_argument("--tokens", type=int, help="that they belong to, equally (500)")
    parser.add_argument("--share", type=float, default=0.6, help="of the measured maximum (0.6)")
    parser.add_argument("--rate", type=float, help="requests a second, instead of a share")
    parser.add_argument("--quick", action="store_true", help="20,000 tasks of 50 tokens, half a minute")
    out = "the report; its chart goes into results/ beside it (default: bench/RESULTS.md; none with --quick)"
    parser.add_argument("--out", type=Path, metavar="FILE", help=out)
    options = parser.parse_args(words)
    minutes, tasks, tokens = (0.5, 20_000, 50) if options.quick else (5.0, 1_000_000, 500)
    options.minutes, options.tasks = options.minutes or minutes, options.tasks or tasks
    options.tokens = options.tokens or tokens
    if options.minutes < LEAST_MINUTES:
        parser.error(f"--minutes: whether a curve is flat shows after {LEAST_MINUTES} minutes at the earliest")
    options.closed_seconds = QUICK_CLOSED_SECONDS if options.quick else CLOSED_SECONDS
    return options


def _expected_seconds(options: argparse.Namespace) -> float:
    looking = len(CLOSED_CONNECTIONS) * (options.closed_seconds + 1)
    return float(options.tasks * _SEED_SECONDS_A_TASK + looking + options.minutes * 60 + 10)


def _facts(words: list[str]) -> dict[str, Any]:
    return {
        "measured": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "commit": machine.commit(),
        "command": " ".join(["python -m bench.soak", *words]),
        "machine": machine.describe(),
        "processor": machine.processor(),
    }


def _soak(folder: Path, options: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    server = Server(folder / "server", UNLIMITED)
    plan_file = folder / "plan.json"
    try:
        begun = time.monotonic()
        plan = seed(server, options.tasks, options.tokens, progress.say)
        seeded = time.monotonic() - begun
        plan_file.write_bytes(msgspec.json.encode(plan))
        maximum = _find_maximum(plan_file, options.closed_seconds, progress)
        rate = options.rate or options.share * max(step["rate"] for step in maximum)
        steady = _run_open(plan_file, server.pid, rate, options.minutes * 60, progress)
        server.stop()
    finally:
        server.kill()
    asked = {name: getattr(options, name) for name in ("tasks", "tokens", "minutes", "share")}
    return asked | {"seed_seconds": seeded, "maximum": maximum, "rate": rate} | steady


def _find_maximum(plan: Path, seconds: float, progress: Progress) -> list[dict[str, Any]]:
    """Closed loops with ever more connections; the first one warms up."""
    steps = []
    for connections in CLOSED_CONNECTIONS:
        progress.say(f"looking for the maximum, {connections} connections")
        with _generator(plan, "closed", connections, seconds) as generator:
            record = _record_of(generator)
        if record["errors"]:
            raise SystemExit(f"wrong answers: {record['faults']}")
        rate = record["answers"] / record["answered_seconds"]
        steps.append({"connections": connections, "rate": rate, "p99": record["all"]["p99"]})
    return steps


def _run_open(plan: Path, pid: int, rate: float, seconds: float, progress: Progress) -> dict[str, Any]:
    starts = time.monotonic() + 2
    memory = []
    cpu = cpu_seconds(pid)
    with _generator(plan, "open", rate, starts, seconds) as generator:
        for number in range(int(seconds / _MEMORY_SECONDS) + 1):
            time.sleep(max(0.0, starts + number * _MEMORY_SECONDS - time.monotonic()))
            memory.append({"at": number * _MEMORY_SECONDS, "mb": memory_mb(pid)})
            progress.say(f"{rate:,.0f} requests a second, {memory[-1]['at']:.0f} of {seconds:.0f} s")
        record = _record_of(generator)
    costs = {"server_cpu_us": cpu_seconds(pid) - cpu, "generator_cpu_us": record["cpu_seconds"]}
    return record | {"memory": memory} | {name: cost / record["answers"] * 1e6 for name, cost in costs.items()}


@contextmanager
def _generator(plan: Path, *words: object) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "bench.soak.load", str(plan), *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _record_of(generator: subprocess.Popen[bytes]) -> dict[str, Any]:
    printed, _ = generator.communicate()
    if generator.returncode:
        raise SystemExit("the load generator broke")
    record: dict[str, Any] = json.loads(printed)
    return record


def _keep(data: dict[str, Any], file: Path) -> None:
    folder = file.parent / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"soak-{data['processor']}.svg").write_text(draw(data))
    report.write_results(file, section(data))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
