"""The end of a run lists what was not tested, why, and what to install.

A test that needs a program skips itself with a reason that begins with `NOT TESTED:`. One that needs a right which this
machine does not give, such as mounting a file system, says `NOT TESTED HERE:`. A test that has no meaning on a stack
gives any other reason, and is not listed. With NOTHING_MISSING=1, as `.ci/run` has it, a missing program fails the run.
"""

import os
from collections import Counter

import pytest

MISSING, FORBIDDEN = "NOT TESTED:", "NOT TESTED HERE:"


class UntestedReport:
    """A plugin of pytest that counts the reasons."""

    def __init__(self) -> None:
        self._reasons: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._count(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._count(report)

    def _count(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple):
            reason = report.longrepr[2].removeprefix("Skipped: ")
            if reason.startswith((MISSING, FORBIDDEN)):
                self._reasons[reason] += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        missing = any(reason.startswith(MISSING) for reason in self._reasons)
        if missing and os.environ.get("NOTHING_MISSING") == "1" and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._reasons:
            terminalreporter.section("not tested")
        for reason, count in sorted(self._reasons.items()):
            terminalreporter.line(f"{count:5} {'test' if count == 1 else 'tests'}: {reason}")
