"""A page of the manual, from Markdown to HTML.

Headings get the anchors that code hosts give them, and links to other pages lead to their HTML. A link to a file of the
repository outside docs/ has nowhere to lead to, and stays as plain text.
"""

import posixpath
import re
from collections import Counter
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|#", re.IGNORECASE)
_CODE = re.compile(r"(^(```+|~~~+).*?^\2[^\n]*$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
_MARKDOWN = MarkdownIt("commonmark").enable("table")


class ManualSection(NamedTuple):
    anchor: str
    heading: str
    text: str


class ManualPage(NamedTuple):
    address: str
    title: str
    body: str
    sections: list[ManualSection]


def render(name: str, text: str) -> ManualPage:
    """`name` is the page's path in docs/."""
    tokens = _MARKDOWN.parse(text)
    sections = _name_headings(tokens)
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = _lead_on(token.children, posixpath.dirname(name))
    body = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    title = sections[0].heading if sections else name
    return ManualPage(name.removesuffix(".md") + ".html", title, body, sections)


def as_markdown(name: str, text: str) -> str:
    """The page as it was written, but that a link which leads nowhere in the manual names the file in the sources."""

    def shown(link: re.Match[str]) -> str:
        folder = posixpath.dirname(name)
        if _target(link[2], folder) is not None:
            return link[0]
        return f"{link[1]} (`{posixpath.normpath(posixpath.join('docs', folder, link[2]))}` in the sources)"

    # Three parts for each block of code: the text before it, the block, and its fence.
    parts = _CODE.split(text)
    return "".join(
        _LINK.sub(shown, part) if number % 3 == 0 else part for number, part in enumerate(parts) if number % 3 < 2
    )


def _name_headings(tokens: list[Token]) -> list[ManualSection]:
    """Give each heading its anchor, and cut the text into sections."""
    seen: Counter[str] = Counter()
    sections: list[ManualSection] = []
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            heading = _plain(following)
            anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            seen[anchor] += 1
            anchor += f"-{seen[anchor] - 1}" if seen[anchor] > 1 else ""
            token.attrSet("id", anchor)
            sections.append(ManualSection(anchor, heading, ""))
        elif token.type in ("inline", "fence", "code_block") and sections:
            sections[-1] = sections[-1]._replace(text=f"{sections[-1].text} {_plain(token)}")
    return sections


def _plain(token: Token) -> str:
    return "".join(child.content or " " for child in token.children) if token.children else token.content


def _lead_on(children: list[Token], folder: str) -> list[Token]:
    kept: list[Token] = []
    dropped = False
    for child in children:
        if child.type == "link_open":
            target = _target(str(child.attrGet("href") or ""), folder)
            dropped = target is None
            if target is not None:
                child.attrSet("href", target)
        if not (dropped and child.type in ("link_open", "link_close")):
            kept.append(child)
    return kept


def _target(href: str, folder: str) -> str | None:
    """The same place in the manual; None if it is outside."""
    if _ELSEWHERE.match(href):
        return href
    path, mark, anchor = href.partition("#")
    if posixpath.normpath(posixpath.join("docs", folder, path)).partition("/")[0] != "docs":
        return None
    if path.endswith(".md"):
        return path.removesuffix(".md") + ".html" + mark + anchor
    return href if path.endswith((".webp", ".svg")) else None
