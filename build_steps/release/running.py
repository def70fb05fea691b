"""Run the tools of a release. A failure is one sentence, with the end of what the tool said."""

import os
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
BIN = Path(sysconfig.get_path("scripts"))
_LONGEST_SECONDS = 1800


class ReleaseFailure(Exception):
    """Why there is no release, and what to do."""


def say(line: str) -> None:
    print(line, flush=True)


def run(words: Sequence[str | Path], cwd: Path = ROOT, umask: int = 0o022, **settings: str) -> str:
    """The standard output of a tool. Raises ReleaseFailure."""
    try:
        done = subprocess.run(
            [str(word) for word in words], cwd=cwd, env=clean_environment() | settings, umask=umask,
            capture_output=True, text=True, check=False, timeout=_LONGEST_SECONDS,
        )  # fmt: skip
    except FileNotFoundError:
        raise ReleaseFailure(f"{words[0]} is not installed") from None
    if done.returncode != 0:
        name = " ".join(Path(str(word)).name for word in words[:4])
        raise ReleaseFailure(f"`{name}` failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def clean_environment() -> dict[str, str]:
    """The environment without what would point a program at this checkout."""
    ours = ("STOWBOARD_", "PYTHONPATH", "VIRTUAL_ENV", "MAKE")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def python() -> str:
    return sys.executable
