"""`make lock` writes requirements/*.txt: the exact version of every dependency, with its hashes.

`make run`, `make test`, CI and the image install these. The ranges of pyproject.toml are for those who install
Stowboard beside other packages. test.txt has only what run.txt has not, so both are installed together. node.txt is
for machines without Node, where the console is compiled by the one that comes as a Python package. pip.txt is pip
itself, which installs the others.
"""

import subprocess
import sys
from pathlib import Path

from build_steps.console import NODE_PACKAGE

ROOT = Path(__file__).parents[1]
LOCKS = ROOT / "requirements"
PROJECTS = ["pyproject.toml", "sdk/pyproject.toml", "requirements/build.in"]
UV = [sys.executable, "-m", "uv", "pip", "compile"]
PIP = "pip>=26,<27"
OPTIONS = ["--quiet", "--universal", "--python-version=3.11", "--generate-hashes", "--no-header", "--no-annotate"]


def lock() -> None:
    everything = _compile("--extra=cli", "--extra=test", *PROJECTS)
    _write("test", everything)
    run = _compile("--extra=cli", "--constraint=requirements/test.txt", *PROJECTS)
    _write("run", run)
    _write("test", {name: text for name, text in everything.items() if name not in run})
    _write("node", _compile("-", given=NODE_PACKAGE))
    _write("pip", _compile("-", given=PIP))


def _compile(*words: str, given: str | None = None) -> dict[str, list[str]]:
    """The entries of each package: several where versions of Python need different ones."""
    done = subprocess.run([*UV, *OPTIONS, *words], cwd=ROOT, input=given, stdout=subprocess.PIPE, text=True, check=True)
    entries: dict[str, list[str]] = {}
    for entry in done.stdout.replace("\\\n    ", "\\ ").splitlines():
        entries.setdefault(entry.partition("==")[0], []).append(entry.replace("\\ ", "\\\n    "))
    return entries


def _write(name: str, entries: dict[str, list[str]]) -> None:
    text = "".join(f"{entry}\n" for versions in entries.values() for entry in versions)
    (LOCKS / f"{name}.txt").write_text(text)


if __name__ == "__main__":
    lock()
