"""Breaks each line in a copy of the source, and runs the tests beside it. `python -m mutants [WORD …]` takes some."""

import os
import shutil
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from mutants.lines import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]
NOT_COPIED = shutil.ignore_patterns("node_modules", ".*", "dist")


def main(words: list[str]) -> int:
    chosen = [mutant for mutant in MUTANTS if not words or any(word in mutant.promise for word in words)]
    unnoticed = []
    with tempfile.TemporaryDirectory(prefix="stowboard-mutants-") as folder:
        copy = Path(shutil.copytree(ROOT, Path(folder) / "copy", symlinks=True, ignore=NOT_COPIED))
        for number, mutant in enumerate(chosen, start=1):
            noticed = _is_noticed(copy, mutant)
            print(
                f"{number:3} of {len(chosen)}  {'noticed ' if noticed else 'UNNOTICED'}  {mutant.promise}", flush=True
            )
            unnoticed += [] if noticed else [mutant]
    for mutant in unnoticed:
        print(f"\nUnnoticed: {mutant.promise}\n  src/stowboard/{mutant.file}: {mutant.line.strip()}\n  {mutant.tests}")
    print(f"\n{len(chosen) - len(unnoticed)} of {len(chosen)} were noticed.")
    return 1 if unnoticed else 0


def _is_noticed(copy: Path, mutant: Mutant) -> bool:
    """True if the tests pass with the line and fail without it. They passed with it in `make test`."""
    file = copy / "src" / "stowboard" / mutant.file
    text = file.read_text()
    if text.count(mutant.line) != 1:
        raise SystemExit(
            f"{mutant.file} has {mutant.line!r} {text.count(mutant.line)} times; name it again in lines.py."
        )
    file.write_text(text.replace(mutant.line, mutant.broken))
    try:
        return _run(copy, mutant.tests.split())
    finally:
        file.write_text(text)


def _run(copy: Path, words: list[str]) -> bool:
    """True if a test fails. The copy's own source goes before the installed one."""
    names = [
        word if word.startswith("-") or before == "-k" else f"tests/{word}" for before, word in pairwise(["", *words])
    ]
    path = os.pathsep.join(str(copy / part) for part in ("src", "sdk/src"))
    environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x", "-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadfile"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *names], cwd=copy, env=environment, capture_output=True, text=True
    )
    if done.returncode and "FAILED tests" not in done.stdout:
        raise SystemExit(f"{' '.join(names)} did not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
