"""The manual: every page of docs/, so that an installation can be read about at its own address.

A wheel out of an sdist takes over what lies in the sdist. `python -m build_steps.manual` does the same outside of a
build, after a page was changed in a checkout.
"""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "docs"
FOLDER = ROOT / "src" / "stowboard" / "built" / "manual"


def build(folder: Path) -> None:
    if not SOURCES.is_dir():
        return
    pages = {page.relative_to(SOURCES): page.read_bytes() for page in SOURCES.rglob("*.md")}
    for old in list(folder.rglob("*.md")):
        if old.relative_to(folder) not in pages:
            old.unlink()
    for name, text in pages.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != text:
            target.write_bytes(text)


if __name__ == "__main__":
    build(FOLDER)
