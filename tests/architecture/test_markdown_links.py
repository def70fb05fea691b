"""Links in Markdown lead somewhere: to a file of the repository, and to a heading in it."""

from functools import cache
from pathlib import Path

import pytest

from support.api.markdown import anchors, targets

ROOT = Path(__file__).parents[2]
#: Folders that are made, not written. What is in bench/results is put together as bench/RESULTS.md, and linked for it.
MADE = {".git", ".venv", "node_modules", "built", ".peers", "dist", "data", "results"}
MADE |= {".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"}


def pages(folder: Path) -> list[Path]:
    """In what was written: to look through what was made would take longer than all the rest."""
    here = sorted(folder.iterdir())
    below = [page for each in here if each.is_dir() and each.name not in MADE for page in pages(each)]
    return [each for each in here if each.suffix == ".md"] + below


FILES = pages(ROOT)


@cache
def anchors_of(file: Path) -> set[str]:
    return anchors(file.read_text())


def dead(file: Path) -> list[str]:
    found = []
    for target in targets(file.read_text()):
        path, _, anchor = target.partition("#")
        other = (file.parent / path) if path else file
        if not other.exists() or (anchor and anchor not in anchors_of(other)):
            found.append(target)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(file: Path) -> None:
    assert dead(file) == []


def test_the_pages_are_found() -> None:
    names = {str(file.relative_to(ROOT)) for file in FILES}
    assert {"README.md", "SECURITY.md", "docs/operations.md", "sdk/README.md", "docs/recipes/n8n.md"} <= names


def test_a_dead_link_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# First\n\n## `GET /a`: what it *does*\n\n## Again\n\n## Again\n")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n[a](other.md) [b](other.md#get-a-what-it-does) [c](#here) [d](https://x.test/y)\n"
        "[e](other.md#again-1) `[f](code.md)`\n```\n[g](block.md)\n```\n"
        "[h](gone.md) [i](other.md#gone) [j](#gone) ![k](gone.png)\n[l]: lost.md\n"
    )
    assert dead(page) == ["gone.md", "other.md#gone", "#gone", "gone.png", "lost.md"]
