"""The packages: sdist and wheel of the service and of the client with `stow`, and the npm package.

Each is built twice, in two copies of what is committed, with another time zone, umask, language and path. The bytes
have to be the same: then anybody can build a release again and compare.
"""

import hashlib
import json
import re
import shutil
import tarfile
import zipfile
from functools import cache
from pathlib import Path

from build_steps import console
from build_steps.release.running import BIN, ROOT, ReleaseFailure, python, run, say

#: umask and environment of the two builds.
_SURROUNDINGS = [(0o022, {"TZ": "UTC"}), (0o077, {"TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8"})]


def build_twice(folder: Path, out: Path) -> None:
    made = [folder / "first", folder / "a second time, elsewhere"]
    for target, (umask, settings) in zip(made, _SURROUNDINGS, strict=True):
        say(f"Building the packages {'again, ' if target is made[1] else ''}from what is committed")
        _build(target, umask, settings)
    first, second = (sorted(path for path in target.glob("out/*")) for target in made)
    for one, other in zip(first, second, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise ReleaseFailure(f"{one.name} was built twice and differs in {', '.join(differences(one, other))}")
        shutil.copy(one, out)
        say(f"  {one.name}: the same bytes twice")


@cache
def commit_time() -> int:
    return int(run(["git", "log", "-1", "--format=%ct"]))


def version() -> str:
    found = re.search(r'__version__ = "(.+)"', (ROOT / "src" / "stowboard" / "__init__.py").read_text())
    assert found is not None
    return found[1]


def npm_version(python_version: str) -> str:
    """The same version as npm writes it: 0.3.0rc1 is 0.3.0-rc.1."""
    return re.sub(r"^([\d.]+)(a|b|rc)(\d+)$", r"\1-\2.\3", python_version)


def differences(one: Path, other: Path) -> list[str]:
    """The members of two archives that differ, by name."""
    first, second = _members(one), _members(other)
    names = [name for name in sorted(first.keys() | second.keys()) if first.get(name) != second.get(name)]
    return names or ["the archive itself: order, times or modes"]


def _build(folder: Path, umask: int, settings: dict[str, str]) -> None:
    sources, out = folder / "stowboard", folder / "out"
    sources.mkdir(parents=True)
    out.mkdir()
    run(["git", "archive", "--output", folder / "sources.tar", "HEAD"])
    run(["tar", "--extract", "--file", folder / "sources.tar"], sources, umask)
    settings = {**settings, "SOURCE_DATE_EPOCH": str(commit_time()), "CONSOLE_BUILD": "require"}
    for project in (sources, sources / "sdk"):
        run([python(), "-m", "build", "--no-isolation", "--outdir", out, project], sources, umask, **settings)
    if (sources / "sdk" / "typescript" / "package.json").is_file():
        _pack_for_npm(sources, out, umask, settings)


def _pack_for_npm(sources: Path, out: Path, umask: int, settings: dict[str, str]) -> None:
    """The version is written into the package here alone; the repository has it in one place."""
    package, npm = sources / "sdk" / "typescript", console.get_npm()
    manifest = package / "package.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": npm_version(version())}, indent=2))
    run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], package, umask, **settings)
    run([*npm, "run", "build"], package, umask, OPENAPI_FROM=str(BIN / "stowboard"), **settings)
    for made in (package / "dist").rglob("*"):  # npm keeps modes, and so the umask of whoever builds
        made.chmod(0o755 if made.is_dir() else 0o644)
    run([*npm, "pack", "--ignore-scripts", "--pack-destination", out], package, umask, **settings)


def _members(archive: Path) -> dict[str, str]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name: hashlib.sha256(wheel.read(name)).hexdigest() for name in wheel.namelist()}
    with tarfile.open(archive) as tar:
        files = {member.name: tar.extractfile(member) for member in tar.getmembers() if member.isfile()}
        return {name: hashlib.sha256(file.read()).hexdigest() for name, file in files.items() if file is not None}
