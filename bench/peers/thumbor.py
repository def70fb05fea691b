"""thumbor, with a process for every core as its documentation has it in production.

It reads pictures from a folder and keeps nothing: its default of copying each original into a second folder would only
cost it time here. The quality is ours, instead of its 80; everything else is its default.
"""

from __future__ import annotations

from pathlib import Path

from bench.harness.install import peers_bin
from bench.harness.servers import free_port
from bench.peers.background import Background

NAME = "thumbor"


def start(folder: Path, pictures: Path, quality: int) -> Background:
    port, settings = free_port(), folder / "thumbor.conf"
    settings.write_text(
        "LOADER = 'thumbor.loaders.file_loader'\n"
        f"FILE_LOADER_ROOT_PATH = {str(pictures)!r}\n"
        "STORAGE = 'thumbor.storages.no_storage'\n"
        f"QUALITY = {quality}\n"
    )
    command: list[str | Path] = [peers_bin() / "thumbor", "--ip", "127.0.0.1", "--port", str(port)]
    command += ["--conf", str(settings), "--processes", "0"]
    return Background(command, port, folder / "thumbor.log")


def path_of(name: str, side: int) -> str:
    """The picture of this name, cropped to a square."""
    return f"/unsafe/{side}x{side}/{name}"
