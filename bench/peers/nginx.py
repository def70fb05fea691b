"""nginx over a folder, with the settings that matter as Debian ships them: the floor for downloads.

And nginx before a Stowboard, which decides who gets a file and has nginx send it.
"""

from __future__ import annotations

import os
from pathlib import Path

from bench.harness.install import program
from bench.harness.servers import free_port
from bench.peers.background import Background

NAME = "nginx"
LOCATION = "/stowboard-files"


def start(folder: Path, files: Path) -> Background:
    return _start(folder, "nginx", {"files": str(files)})


def start_before(folder: Path, files: Path, port: int) -> Background:
    """`files` is the folder of blobs of the Stowboard at the port."""
    return _start(folder, "nginx_accel", {"files": str(files), "upstream": str(port), "location": LOCATION})


def _start(folder: Path, name: str, places: dict[str, str]) -> Background:
    port, prefix = free_port(), folder / name
    prefix.mkdir()
    text = Path(__file__).with_name(f"{name}.conf").read_text()
    for place, value in {"port": str(port), **places}.items():
        text = text.replace(f"{{{place}}}", value)
    settings = prefix / "nginx.conf"
    settings.write_text(text)
    # Started by root, its workers would be a user who may not read the scratch folder.
    globally = "daemon off;" + (" user root;" if os.geteuid() == 0 else "")
    words = ["-p", f"{prefix}/", "-c", str(settings), "-e", "error.log", "-g", globally]
    return Background([program("nginx"), *words], port, folder / f"{name}.log")
