"""The folder for what is only needed for a moment. Like the data folder that it is in, it is its owner's alone."""

from pathlib import Path


def make_work_folder(work_dir: Path) -> None:
    """On a node of a cluster it is the first thing in the data folder, which is then made here as well."""
    for folder in (work_dir.parent, work_dir):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
