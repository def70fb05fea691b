"""The links of a page in Markdown, and the names of its headings."""

import re
from collections import Counter

CODE = re.compile(r"^(```+|~~~+).*?^\1[^\n]*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
BLOCKS = re.compile(r"^(```+|~~~+).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def targets(text: str) -> list[str]:
    """The targets of a page's links; code is left out."""
    found = [inline or reference for inline, reference in LINK.findall(CODE.sub("", text))]
    return [target for target in found if not ELSEWHERE.match(target)]


def anchors(text: str) -> set[str]:
    """The names of a page's headings, as those who show Markdown make them."""
    seen: Counter[str] = Counter()
    names = set(re.findall(r'(?:id|name)="([^"]+)"', text))
    for heading in HEADING.findall(BLOCKS.sub("", text)):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        names.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return names
