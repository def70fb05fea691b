"""The `stowboard` command, run as an operator would: in a process of its own, or in this one, which is faster."""

import contextlib
import io
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from stowboard.cli.main import run
from support.servers.forked import launch
from support.servers.stowboard import clean_environment, run_to_end


def stowboard(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end. `settings` are environment variables; the data folder is `data` in that folder."""
    return run_to_end(launch, words, clean_environment() | settings, folder)


@dataclass(frozen=True)
class CommandRun:
    exit_code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


def run_here(words: Sequence[str], settings: Mapping[str, str] | None = None) -> CommandRun:
    """Run it in this process, with these environment variables besides those that there are."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, settings or {}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = run(words)
        except SystemExit as end:  # of argparse
            code = end.code if isinstance(end.code, int) else 1
    return CommandRun(code, out.getvalue(), err.getvalue())


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The message of a command that failed: one line on the error stream, and no traceback."""
    assert done.returncode != 0, done.stdout
    assert "Traceback" not in done.stderr
    said = done.stderr.strip()
    assert said.startswith("stowboard: "), said
    assert said.endswith((".", "?")), said
    assert "\n" not in said
    return said
