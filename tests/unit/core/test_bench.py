"""The benchmark's arithmetic and tables, without running one."""

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.harness import install, load, rounds
from bench.harness.figures import OURS, Asked, Contender, Outcome, Row, Sample, Void
from bench.harness.progress import Progress
from bench.report import charts
from bench.report import results as report
from bench.report.record import Record

WRK = """\
Running 3s test @ http://127.0.0.1:8080/
  Latency Distribution
     50%  743.00us
     75%    1.10ms
     90%    2.20ms
     99%    1.02s
  3000 requests in 1.50s, 1.02MB read
Requests/sec:   2000.00
"""


def outcome(ours: list[float], theirs: list[float], *asked: Asked, **row: Any) -> Outcome:
    contenders: dict[str, Contender] = {OURS: Sample, "peer": Sample}
    samples = {OURS: [Sample(rate) for rate in ours], "peer": [Sample(rate) for rate in theirs]}
    return Outcome(Row("get", row.pop("unit", "requests/s"), contenders, asked, **row), samples)


def record_of(*outcomes: Outcome, **other: str) -> Record:
    facts = {"suite": "api", "title": "API", "processor": "x86_64", "commit": "abc", "command": "bench"}
    return Record(
        **facts | {"measured": "2026-01-02 03:04 UTC"} | other,
        machine={"CPU": "fast"},
        versions={"wrk": "4"},
        outcomes=list(outcomes),
    )


def test_a_report_of_wrk_becomes_a_sample() -> None:
    requests, sample = load.read_report(WRK, spent=0.3, memory=50.0)
    assert requests == 3000
    assert sample.cpu_us == pytest.approx(100.0)
    assert replace(sample, cpu_us=None) == Sample(rate=2000.0, p50_ms=0.743, p99_ms=1020.0, memory_mb=50.0)


@pytest.mark.parametrize(
    "report",
    [
        WRK + "  Non-2xx or 3xx responses: 3\n",
        WRK + "  Socket errors: connect 0, read 7, write 0, timeout 0\n",
        WRK.replace("3000 requests", "0 requests"),
        "unable to connect to 127.0.0.1:8080 Connection refused",
    ],
)
def test_wrong_or_no_answers_void_the_sample(report: str) -> None:
    with pytest.raises(Void):
        load.read_report(report, spent=0.3, memory=50.0)


def test_a_load_goes_on_where_the_one_before_has_ended() -> None:
    targets = load.Targets(("/a", "/b"))
    again = load.Load("http://127.0.0.1", targets=targets)
    assert "local number = 0\n" in load._lua(again)
    targets.done += 3
    assert "local number = 3\n" in load._lua(again)


def test_everybody_takes_a_turn_in_every_round_and_the_warm_up_is_thrown_away() -> None:
    turns: list[str] = []

    def contender(name: str) -> Contender:
        def run(_seconds: float) -> Sample:
            turns.append(name)
            return Sample(rate=len(turns))

        return run

    row = Row("get", "requests/s", {name: contender(name) for name in (OURS, "a", "b")})
    done = rounds.run(row, rounds=2, seconds=1.0, progress=Progress(0))
    assert turns == [OURS, "a", "b", "a", "b", OURS, "b", OURS, "a"]
    assert [sample.rate for sample in done.samples[OURS]] == [6, 8]


def test_a_void_contender_takes_no_further_turn_and_the_others_go_on() -> None:
    asked_for: list[float] = []

    def wrong(seconds: float) -> Sample:
        asked_for.append(seconds)
        raise Void("answered 500")

    row = Row("get", "requests/s", {OURS: lambda _: Sample(1.0), "peer": wrong}, (Asked("peer", 1.0),))
    done = rounds.run(row, rounds=2, seconds=1.0, progress=Progress(0))
    assert len(asked_for) == 1
    assert (done.void, done.rate("peer"), done.rate(OURS)) == ({"peer": "answered 500"}, None, 1.0)
    assert "VOID get, peer: answered 500" in report.remarks(record_of(done))


def test_the_ratio_is_the_median_of_the_rounds_own() -> None:
    done = outcome([10, 100, 30], [10, 50, 10])
    assert (done.rate(OURS), done.ratios("peer"), done.ratio("peer")) == (30, [1, 2, 3], 2)


@pytest.mark.parametrize(
    ("asked", "reached"),
    [
        (Asked("peer", 2.0), True),
        (Asked("peer", 2.1), False),
        (Asked("peer", 0.5, at_most=True), True),
        (Asked("peer", 0.4, at_most=True), False),
        (Asked("nobody else", 1.0), None),
        (Asked(None, 0.25), True),
        (Asked(None, 0.24), False),
    ],
)
def test_what_is_asked_is_reached_or_not_or_unknown(asked: Asked, reached: bool | None) -> None:
    assert outcome([4.0], [2.0], cost=asked.against is None).reached(asked) is reached


def test_the_report_marks_a_missed_must() -> None:
    done = record_of(outcome([1.0], [2.0], Asked("peer", 3.0, must=True), Asked("peer", 0.9)))
    assert report.unreached([done], musts=True) == ["get against peer: at least 3 asked, not reached"]
    assert report.unreached([done], musts=False) == ["get against peer: at least 0.9 asked, not reached"]
    assert "NO, a must" in report.printed(done)


def test_a_missing_peer_is_named_and_its_must_is_not_reached() -> None:
    row = Row("get", "requests/s", {OURS: Sample}, (Asked("ipx", 1.0, must=True),), missing=("ipx: no npm",))
    done = record_of(Outcome(row, {OURS: [Sample(1.0)]}))
    assert "MISSING ipx: no npm" in report.printed(done)
    assert report.unreached([done], musts=True) == ["get against ipx: at least 1 asked, not measured"]


def test_a_cost_is_shown_as_a_cost() -> None:
    shown = report.printed(
        record_of(outcome([1 / 60], [1 / 40], Asked("peer", 2.0, at_most=True), unit="MB", cost=True))
    )
    assert "60.0 MB" in shown
    assert "1.50" in shown
    assert "at most 2x the cost" in shown


def test_one_suite_is_written_again_and_those_of_other_suites_and_processors_stay(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    older = record_of(outcome([4.0], [2.0]), suite="tus", title="Uploads", commit="older")
    arm = record_of(outcome([4.0], [2.0]), processor="aarch64", commit="arm")
    runs = [record_of(outcome([4.0], [2.0]), commit=commit, error="RuntimeError: no disk") for commit in ("abc", "def")]
    for run in (runs[0], older, arm, runs[1]):
        report.write_results(file, report.section(run, tmp_path))
    text = file.read_text()
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["# Results", "## API, aarch64", "## API, x86_64", "## Uploads, x86_64"]
    assert "commit older" in text
    assert "commit arm" in text
    assert "commit abc" not in text
    assert "RuntimeError: no disk" in text


def test_a_chart_names_its_rows_and_draws_both_contenders() -> None:
    done = record_of(outcome([4.0], [2.0]))
    drawn = charts.draw(done)
    assert done.outcomes[0].row.work in drawn
    assert drawn.count("<rect") >= 2


def test_an_installation_that_fails_says_why_and_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []

    def fail(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 1, "", "ERROR: no index can be reached\n")

    monkeypatch.setattr(install, "FOLDER", tmp_path)
    monkeypatch.setattr(install, "_failed", {})
    monkeypatch.setattr(subprocess, "run", fail)
    for _ in range(2):
        with pytest.raises(install.Missing, match=r"Python peers cannot be installed.*no index can be reached"):
            install.peers_bin()
    assert len(commands) == 1


def test_a_program_that_is_not_there_is_missing_with_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(install.HINTS, "no-such-program", "apt-get install it")
    with pytest.raises(install.Missing, match="apt-get install it"):
        install.program("no-such-program")
