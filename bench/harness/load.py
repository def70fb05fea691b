"""Closed-loop HTTP load by wrk: one thread, with given connections and duration; and what it cost the server.

Before the load one request is made and checked by its caller (`check`); after it, wrk's own count of answers other
than 2xx and of broken sockets voids the sample.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.harness.figures import Sample, Void
from bench.harness.processes import cpu_seconds, memory_mb

CONNECTIONS = 32
_IN_TURN = """
function request()
  number = number % #targets + 1
  return wrk.format(nil, targets[number])
end
"""
_UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(slots=True)
class Targets:
    """Paths and queries that take turns. Each load goes on where the one before has ended."""

    paths: tuple[str, ...]
    done: int = 0


@dataclass(frozen=True, slots=True)
class Load:
    """One request, made over and over; with `targets`, they take the place of the address."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"
    body: str = ""
    connections: int = CONNECTIONS
    targets: Targets | None = None


def wrk(load: Load, pid: int, seconds: float) -> Sample:
    """Put the load on the process for whole seconds, at least one."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "request.lua"
        script.write_text(_lua(load))
        command = [
            "wrk",
            "-t1",
            f"-c{load.connections}",
            f"-d{max(1, round(seconds))}s",
            "--latency",
            "-s",
            str(script),
        ]
        before = cpu_seconds(pid)
        done = subprocess.run([*command, load.url], capture_output=True, text=True, check=False)
        spent = cpu_seconds(pid) - before
    requests, sample = read_report(done.stdout + done.stderr, spent, memory_mb(pid))
    if load.targets is not None:
        load.targets.done += requests
    return sample


def _lua(load: Load) -> str:
    lines = [f"wrk.method = {json.dumps(load.method)}"]
    lines += [f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}" for name, value in load.headers.items()]
    if load.body:
        lines.append(f"wrk.body = {json.dumps(load.body)}")
    if load.targets is not None:
        lines += ["local targets = {", *(f"  {json.dumps(path)}," for path in load.targets.paths), "}"]
        lines += [f"local number = {load.targets.done}", _IN_TURN]
    return "\n".join(lines) + "\n"


def read_report(report: str, spent: float, memory: float) -> tuple[int, Sample]:
    """How many requests were made, and what is to be said of them."""
    counted = re.search(r"(\d+) requests in ([\d.]+)(us|ms|s|m)", report)
    if not counted or counted[1] == "0":
        raise Void(f"no answers: {report.strip()[-200:]}")
    if wrong := re.search(r"Non-2xx.*|Socket errors.*", report):
        raise Void(wrong[0])
    requests, seconds = int(counted[1]), float(counted[2]) * _UNITS[counted[3]] / 1000
    return requests, Sample(
        rate=requests / seconds,
        p50_ms=_percentile(report, "50%"),
        p99_ms=_percentile(report, "99%"),
        cpu_us=spent / requests * 1e6,
        memory_mb=memory,
    )


def _percentile(report: str, which: str) -> float | None:
    found = re.search(rf"^\s+{which}\s+([\d.]+)(us|ms|s|m)", report, re.MULTILINE)
    return float(found[1]) * _UNITS[found[2]] if found else None
