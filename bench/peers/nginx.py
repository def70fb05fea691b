"""nginx over a folder, with the settings that matter as Debian ships them: the floor for downloads."""

from __future__ import annotations

import os
from pathlib import Path

from bench.harness.install import program
from bench.peers.background import Background
from support.servers.ports import free_port

NAME = "nginx"
SETTINGS = Path(__file__).with_name("nginx.conf")


def start(folder: Path, files: Path) -> Background:
    port, prefix = free_port(), folder / "nginx"
    prefix.mkdir()
    settings = prefix / "nginx.conf"
    settings.write_text(SETTINGS.read_text().replace("{port}", str(port)).replace("{files}", str(files)))
    # Started by root, its workers would be a user who may not read the scratch folder.
    globally = "daemon off;" + (" user root;" if os.geteuid() == 0 else "")
    words = ["-p", f"{prefix}/", "-c", str(settings), "-e", "error.log", "-g", globally]
    return Background([program("nginx"), *words], port, folder / "nginx.log")
