"""A folder holds no more files than a reader takes in at once."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_FILES = 24


def crowded(top: Path) -> dict[str, int]:
    """The folders with too many modules side by side, and how many these are; hidden ones hold what others wrote."""
    folders = [Path(), *(path.relative_to(top) for path in top.rglob("*") if path.is_dir())]
    ours = [folder for folder in folders if not any(part.startswith(".") for part in folder.parts)]
    counts = {str(folder): len(list((top / folder).glob("*.py"))) for folder in ours}
    return {name: count for name, count in counts.items() if count > MOST_FILES}


@pytest.mark.parametrize("top", ["src/stowboard", "tests/support", "bench"])
def test_no_folder_has_too_many_files_side_by_side(top: str) -> None:
    assert crowded(ROOT / top) == {}


def test_a_folder_with_too_many_files_is_found(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    for number in range(MOST_FILES + 1):
        (room / f"file{number}.py").touch()
    assert crowded(tmp_path) == {"room": MOST_FILES + 1}
