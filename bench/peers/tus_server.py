"""@tus/server with @tus/file-store, the official server for Node, as its documentation starts it.

It never asks the disk to keep what it has acknowledged. `FSYNCED` is the same server with the one thing that a user can
do about it: fsync in the hook `onUploadFinish`, which runs before the last PATCH is answered.
"""

from __future__ import annotations

from pathlib import Path

from bench.harness.servers import free_port
from bench.peers.background import Background, node_script

NAME, FSYNCED = "@tus/server", "@tus/server, fsynced"
ENDPOINT = "/files"


def start(folder: Path, uploads: Path, *, fsync: bool) -> Background:
    return node_script(folder, "tus_server.mjs", free_port(), str(uploads), *(["fsync"] if fsync else []))
