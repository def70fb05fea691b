"""The manual shows the table of endings that the code has."""

from pathlib import Path

import pytest

from stowboard.access.endings import TABLE, EndingCell, EndingWay
from stowboard.ports import TaskOwners

DOCS = Path(__file__).parents[2] / "docs"


def written(thing: str, way: EndingWay) -> str:
    cell = getattr(TABLE[thing], way)
    if cell is EndingCell.STAYS:
        return "—"
    return f"below {TABLE[thing].needs}" if way is EndingWay.LOWER_ROLE else "ends"


@pytest.mark.parametrize("page", ["api/spaces.md", "who-can-see-what.md"])
def test_the_manual_shows_the_table_of_endings(page: str) -> None:
    lines = (DOCS / page).read_text().splitlines()
    begin = lines.index(f"| what | {' | '.join(way.replace('_', ' ') for way in EndingWay)} |")
    shown = {}
    for line in lines[begin + 2 : begin + 2 + len(TABLE)]:
        name, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        shown[name.split("`")[1]] = cells
    assert shown == {thing: [written(thing, way) for way in EndingWay] for thing in TABLE}


def test_every_row_has_a_function_that_ends_it() -> None:
    assert TABLE.keys() - TaskOwners().ends.keys() == {"tokens", "invitations", "signedUrls"}
    assert TaskOwners().ends.keys() <= TABLE.keys()
