"""The manual: every page of docs/ as Markdown for programs and as HTML for people, with a search that needs no server.

The pages refer to each other by relative addresses. So the same folder is what an installation serves at /docs/manual,
and a site that any web server or `file:` shows: `python -m build_steps.manual FOLDER` writes it there, and without a
folder to the place that the service reads. A wheel out of an sdist takes over what lies in the sdist.
"""

import html
import json
import re
from itertools import pairwise
from pathlib import Path

from build_steps.manual.page import ManualPage, ManualSection, as_markdown, render

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "docs"
FOLDER = ROOT / "src" / "stowboard" / "built" / "manual"
#: The order of the contents, and the heading of each folder.
_PARTS = {"": "Using and running it", "api": "The API", "recipes": "Recipes", "decisions": "Decisions"}
_PICTURES = {".webp", ".svg"}
_HERE = Path(__file__).parent


def build(folder: Path) -> None:
    if not SOURCES.is_dir():
        return
    pages: list[ManualPage] = []
    files: dict[Path, bytes] = {}
    for path in sorted(SOURCES.rglob("*")):
        name = path.relative_to(SOURCES)
        if path.suffix in _PICTURES:
            files[name] = path.read_bytes()
        elif path.suffix == ".md":
            text = path.read_bytes().decode()
            pages.append(render(name.as_posix(), text))
            files[name] = as_markdown(name.as_posix(), text).encode()
    template = (_HERE / "page.html").read_text()
    contents = _contents(pages)
    files[Path("index.html")] = _fill(template, "Manual", f"<h1>Stowboard's manual</h1>{contents}", "").encode()
    for page in pages:
        files[Path(page.address)] = _fill(template, page.title, page.body, "../" * page.address.count("/")).encode()
    files[Path("manual.css")] = (_HERE / "manual.css").read_bytes()
    files[Path("search.js")] = (_HERE / "search.js").read_bytes()
    files[Path("search_index.js")] = f"const SECTIONS = {_index(pages)}\n".encode()
    _write(folder, files)


def _write(folder: Path, files: dict[Path, bytes]) -> None:
    for old in [path for path in folder.rglob("*") if path.is_file()]:
        if old.relative_to(folder) not in files:
            old.unlink()
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != data:
            target.write_bytes(data)


def _fill(template: str, title: str, body: str, up: str) -> str:
    """`up` leads from the page to the folder of the manual."""
    return template.replace("{{title}}", html.escape(title)).replace("{{up}}", up).replace("{{body}}", body)


def _contents(pages: list[ManualPage]) -> str:
    text = ""
    for folder, heading in _PARTS.items():
        inside = [page for page in pages if page.address.rpartition("/")[0] == folder]
        items = "".join(f'<li><a href="{page.address}">{html.escape(page.title)}</a></li>' for page in inside)
        text += f"<h2>{heading}</h2><ul>{items}</ul>"
    return text


def _index(pages: list[ManualPage]) -> str:
    """A row for each section: address, title of the page, heading, and its words, each once."""
    rows = [
        [f"{page.address}#{section.anchor}", page.title, section.heading, _words(section)]
        for page in pages
        for section in page.sections
        if not page.address.startswith("decisions/")
    ]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def _words(section: ManualSection) -> str:
    """Without words that others begin with: the search looks for the beginnings of words, and finds those too."""
    words = sorted(set(re.findall(r"[a-z][a-z0-9_]{2,}", section.text.lower())))
    return " ".join(word for word, following in pairwise([*words, ""]) if not following.startswith(word))
