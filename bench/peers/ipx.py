"""ipx as a Node server over a folder, as its documentation shows it. It keeps nothing of what it makes."""

from __future__ import annotations

from pathlib import Path

from bench.harness.servers import free_port
from bench.peers.background import Background, node_script

NAME = "ipx"


def start(folder: Path, pictures: Path) -> Background:
    return node_script(folder, "ipx.mjs", free_port(), str(pictures))


def path_of(name: str, side: int, quality: int) -> str:
    """The picture of this name, cropped to a square."""
    return f"/s_{side}x{side},fit_cover,q_{quality}/{name}"
