"""SHA256SUMS, in the form that `sha256sum --check SHA256SUMS` reads."""

import hashlib
from pathlib import Path

from build_steps.release.running import ReleaseFailure

SUMS = "SHA256SUMS"


def write_sums(folder: Path) -> None:
    names = sorted(path.name for path in folder.iterdir() if path.name != SUMS)
    (folder / SUMS).write_text("".join(f"{_digest(folder / name)}  {name}\n" for name in names))


def check_sums(folder: Path) -> None:
    """Raises ReleaseFailure for the first artefact that is missing or is not what the sums say."""
    for line in (folder / SUMS).read_text().splitlines():
        digest, _, name = line.partition("  ")
        if not (folder / name).is_file():
            raise ReleaseFailure(
                f"{name} is named in {SUMS} and is not there. Download it, or run `make release` again."
            )
        if _digest(folder / name) != digest:
            raise ReleaseFailure(
                f"{name} is not the file that {SUMS} names. Do not install it: download both from the same release."
            )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
