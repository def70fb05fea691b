"""All of Todoist as its sync API answers it: projects, sections, items, and notes with files."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedTask
from stowboard_cli.moving.todoist_csv import left
from stowboard_cli.output.here import is_zone, time_zone


def read_sync(content: dict[str, Any]) -> Plan:
    """Raises KeyError, TypeError or AttributeError if the content is not such an answer."""
    sections = {str(one["id"]): one for one in _living(content.get("sections"))}
    items = {str(one["id"]): one for one in _living(content["items"])}
    notes = _living(content.get("notes"))
    boards = []
    for project in _living(content["projects"]):
        own = [one for one in items.values() if one.get("project_id") == project["id"]]
        columns = [one for one in sections.values() if one.get("project_id") == project["id"]]
        columns.sort(key=lambda one: one.get("section_order") or 0)
        own.sort(key=lambda one: one.get("child_order") or 0)
        tasks = tuple(_item(one, sections, items, _files(one, notes)) for one in own)
        names = tuple(str(one["name"]) for one in columns)
        boards.append(PlannedBoard(f"todoist:{project['id']}", project["name"], names, tasks))
    comments = sum(not (one.get("file_attachment") or {}).get("file_url") for one in notes)
    return Plan(tuple(boards), tuple(left(comments, sum(str(one.get("parent_id")) in items for one in items.values()))))


def _living(things: Sequence[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return [one for one in things or [] if not one.get("is_deleted")]


def _files(item: dict[str, Any], notes: list[dict[str, Any]]) -> list[str]:
    files = [one.get("file_attachment") or {} for one in notes if one.get("item_id") == item["id"]]
    return [f"[{one.get('file_name') or 'file'}]({one['file_url']})" for one in files if one.get("file_url")]


def _item(item: dict[str, Any], sections: dict[str, Any], items: dict[str, Any], files: list[str]) -> PlannedTask:
    parent = items.get(str(item.get("parent_id")))
    parts = (item.get("description") or "", f"Part of: {parent['content']}" if parent else "", *files)
    repeat, once, zone = _due(item.get("due") or {})
    return PlannedTask(
        source=f"todoist:{item['id']}",
        title=item["content"],
        body="\n\n".join(part for part in parts if part),
        done=bool(item.get("checked")),
        due_text=f"{repeat} {once}".strip() if not _has_time(repeat) else f"{repeat} {once.partition(' ')[0]}",
        due_once=once,
        zone=zone,
        tags=tuple(item.get("labels") or ()),
        column=(sections.get(str(item.get("section_id"))) or {}).get("name"),
        attachments=len(files),
        priority=min(3, max(0, int(item.get("priority") or 1) - 1)),  # 4 is the most urgent here
    )


def _due(due: dict[str, Any]) -> tuple[str, str, str | None]:
    """The repetition in words; the next due date, with its time; and the time zone of these.

    A time in UTC (`…Z`) was fixed in a zone; any other time is local, wherever the person is.
    """
    text, zone = str(due.get("date") or ""), str(due.get("timezone") or "")
    if text.endswith("Z"):
        zone = zone if is_zone(zone) else time_zone() or "UTC"
        text = datetime.fromisoformat(text).astimezone(ZoneInfo(zone)).isoformat()
    day, _, clock = text.partition("T")
    repeat = str(due.get("string") or "") if due.get("is_recurring") else ""
    return repeat, f"{day} {clock[:5]}".strip(), zone if is_zone(zone) else None


def _has_time(text: str) -> bool:
    return ":" in text or text.endswith(("am", "pm"))
