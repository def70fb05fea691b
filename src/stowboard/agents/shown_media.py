"""Assets and videos as a model reads them: a line each, and the same facts for programs."""

from typing import Any

from stowboard.agents.words import one_line, write_time
from stowboard.media.assets.wire import AssetView
from stowboard.media.videos.wire import VideoView


def media_line(item: AssetView | VideoView) -> str:
    facts = media_facts(item)
    parts = [
        facts["id"],
        facts["mimeType"] or "",
        size_in_words(facts["size"]) if facts["size"] is not None else "",
        f"{facts['width']}x{facts['height']}" if facts.get("width") else "",
        facts["status"] if facts["status"] != "ready" else "",
        facts["visibility"] if facts["visibility"] != "public" else "",
        facts.get("filename", ""),
        facts.get("title", ""),
        facts.get("alt", ""),
        " ".join(f"#{tag}" for tag in facts["tags"]),
    ]
    return " · ".join(one_line(part) for part in parts if part)


def media_facts(item: AssetView | VideoView) -> dict[str, Any]:
    """Empty members are left out, except those that every file has."""
    named: dict[str, Any]
    if isinstance(item, AssetView):
        named = {"kind": item.kind, "filename": item.filename, "alt": item.alt, "status": item.processing_status}
    else:
        named = {"kind": "video", "seconds": item.duration, "status": item.status}
    named |= {"title": item.title, "width": item.width, "height": item.height}
    told = {name: value for name, value in named.items() if value is not None}
    every = {
        "id": item.id, "mimeType": item.mime_type, "size": item.size, "tags": item.tags,
        "visibility": item.visibility, "created": write_time(item.created_at),
    }  # fmt: skip
    return every | told


def size_in_words(size: int) -> str:
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size} {unit}"
        size //= 1024
    return f"{size} GiB"
