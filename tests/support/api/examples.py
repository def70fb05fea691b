"""The examples of the manual: blocks of code in a language. Tests run those that are marked `run`."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def examples(page: Path, fence: str) -> list[str]:
    """The blocks that begin with exactly this fence, such as `sh run`."""
    return re.findall(rf"^```{fence}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def pages_with(fence: str) -> list[Path]:
    return [page for page in sorted(DOCS.rglob("*.md")) if examples(page, fence)]
