"""The peers, installed once into bench/.peers from exact pins, and programs of the system that have to be there.

A peer that cannot be had raises `Missing` with the reason, and the report names it; nothing is skipped in silence. A
changed pin is installed again at the next use. What failed is not tried again in the same run.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".peers"
PINS = Path(__file__).parents[1] / "peers"
INSTALL_SECONDS = 600
HINTS = {
    "wrk": "apt-get install wrk",
    "nginx": "apt-get install nginx",
    "node": "apt-get install nodejs",
    "npm": "apt-get install npm",
}
_failed: dict[str, str] = {}


class Missing(Exception):
    """A peer or a program that cannot be had here, and why."""


def peers_bin() -> Path:
    """The programs of bench/peers/requirements.txt: `pocketbase`, `thumbor`, and a `python` with FastAPI."""
    folder = FOLDER / "venv"
    _install_once("Python peers", folder, [PINS / "requirements.txt"], _install_python)
    return folder / "bin"


def node_modules() -> Path:
    """The packages of bench/peers/package.json. A script finds them if it lies beside this folder."""
    folder = FOLDER / "node"
    program("node")
    pins = [PINS / "package.json", PINS / "package-lock.json"]
    _install_once("Node peers", folder, pins, _install_node)
    return folder / "node_modules"


def program(name: str) -> Path:
    """One of the system's programs. Debian keeps servers where users do not look."""
    found = shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")
    if found is None:
        raise Missing(f"{name} is not installed; on Debian: {HINTS[name]}")
    return Path(found)


def _install_once(what: str, folder: Path, pins: list[Path], install: Callable[[Path], None]) -> None:
    if what in _failed:
        raise Missing(_failed[what])
    wanted = hashlib.sha256(b"".join(pin.read_bytes() for pin in pins)).hexdigest()
    stamp = folder / "installed"
    with _lock():
        if stamp.exists() and stamp.read_text() == wanted:
            return
        print(f"Installing the {what} (about a minute, once)", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            install(folder)
        except Missing as missing:
            _failed[what] = f"the {what} cannot be installed: {missing}"
            raise Missing(_failed[what]) from None
        stamp.write_text(wanted)


@contextmanager
def _lock() -> Iterator[None]:
    FOLDER.mkdir(exist_ok=True)
    with (FOLDER / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install_python(folder: Path) -> None:
    _run([sys.executable, "-m", "venv", str(folder)])
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check", "--retries", "1"]
    _run([*pip, "--quiet", "--no-deps", "--requirement", str(PINS / "requirements.txt")])


def _install_node(folder: Path) -> None:
    npm = program("npm")
    folder.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(PINS / name, folder)
    _run([str(npm), "ci", "--no-audit", "--no-fund", "--omit=dev", "--fetch-retries=1"], folder)


def _run(command: list[str], folder: Path | None = None) -> None:
    name = " ".join(Path(word).name for word in command[:4])
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"`{name}`: {error}") from error
    if done.returncode:
        raise Missing(f"`{name}`: {_reason(done.stdout + done.stderr)}")


def _reason(output: str) -> str:
    """The lines that a person would look for: the first errors, since what follows is advice."""
    lines = [line.strip()[:200] for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "npm err"))]
    return "; ".join((errors or lines or ["it failed and said nothing"])[:3])
