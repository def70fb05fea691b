"""Room and bytes in the scratch folder."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from bench.harness.install import Missing

MIB = 1 << 20
_BLOCK = 16 * MIB


def require_room(folder: Path, gib: int) -> None:
    """Raises Missing, so that the report says why there are no figures."""
    free = shutil.disk_usage(folder).free >> 30
    if free < gib:
        raise Missing(
            f"the scratch folder has {free} GiB of room, and {gib} GiB are needed; set TMPDIR to a larger disk"
        )


def random_file(path: Path, size: int) -> None:
    """Write so many random bytes. They are in memory and on the disk afterwards."""
    with path.open("wb") as file:
        for start in range(0, size, _BLOCK):
            file.write(os.urandom(min(_BLOCK, size - start)))
        file.flush()
        os.fsync(file.fileno())


def sha256_of(path: Path, span: range) -> str:
    digest, left = hashlib.sha256(), len(span)
    with path.open("rb") as file:
        file.seek(span.start)
        while left and (block := file.read(min(_BLOCK, left))):
            digest.update(block)
            left -= len(block)
    return digest.hexdigest()
