"""The `stowboard` command, run as an operator would, in a folder of its own."""

import subprocess
from pathlib import Path

from support.servers.forked import launch
from support.servers.stowboard import clean_environment, run_to_end


def stowboard(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run it to its end. `settings` are environment variables; the data folder is `data` in that folder."""
    return run_to_end(launch, words, clean_environment() | settings, folder)


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What a command that failed said: one line on the error stream, and no traceback."""
    assert done.returncode != 0, done.stdout
    assert "Traceback" not in done.stderr
    said = done.stderr.strip()
    assert said.startswith("stowboard: "), said
    assert said.endswith((".", "?")), said
    assert "\n" not in said
    return said
