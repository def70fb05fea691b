"""The projects of Vikunja, as its user data export has them: projects become boards, buckets columns."""

from collections.abc import Iterator
from html import unescape
from re import compile as pattern
from typing import Any

from stowboard.core.wording import counted
from stowboard.tasks.base.task import Status
from stowboard.tasks.imports.moments import instant
from stowboard.tasks.imports.plan import Plan, PlannedBoard, PlannedComment, PlannedTask, columns_named

_MONTHLY, _FROM_COMPLETION = 1, 2
_DAY_S = 86_400
_BLOCKS = ("p", "li", "ul", "ol", "div", "br", "h1", "h2", "h3", "pre", "blockquote")
#: A tag cannot have another one in it: so the text is read once, whatever it is.
_TAG = pattern(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>")
_CHECKED = pattern(r"data-checked=[\"']?(true|false)")


def read_vikunja(content: list[dict[str, Any]]) -> Plan:
    projects = list(_projects(content))
    files = sum(len(task.get("attachments") or []) for one in projects for task in one.get("tasks") or [])
    left_out = [f"Not taken over: {counted(files, 'attachment')}."] if files else []
    return Plan([_board(project) for project in projects], left_out)


def _projects(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The projects, and those inside them."""
    for project in found:
        yield project
        yield from _projects(project.get("child_projects") or [])


def _board(project: dict[str, Any]) -> PlannedBoard:
    buckets = {bucket["id"]: str(bucket["title"]) for bucket in project.get("buckets") or []}
    placed = {each["task_id"]: each["bucket_id"] for each in project.get("task_buckets") or []}
    tasks = [
        _task(task, buckets.get(placed.get(task["id"], task.get("bucket_id")))) for task in project.get("tasks") or []
    ]
    columns = columns_named(list(dict.fromkeys(buckets.values())))
    return PlannedBoard(f"vikunja:{project['id']}", str(project["title"]), columns, tasks)


def _task(task: dict[str, Any], column: str | None) -> PlannedTask:
    body, items = read_html(str(task.get("description") or ""))
    seconds, mode = int(task.get("repeat_after") or 0), int(task.get("repeat_mode") or 0)
    days = f"FREQ=DAILY;INTERVAL={seconds // _DAY_S}" if seconds >= _DAY_S else None
    return PlannedTask(
        source=f"vikunja:{task['id']}",
        title=str(task["title"]),
        body=body,
        status=Status.DONE if task.get("done") else None,
        due_at=instant(task.get("due_date")),
        start_at=instant(task.get("start_date")),
        recurrence="FREQ=MONTHLY" if mode == _MONTHLY else days,
        from_completion=mode == _FROM_COMPLETION,
        priority=max(0, min(3, int(task.get("priority") or 0) - 1)),  # from 1 (low) to 5 there
        tags=[str(label["title"]) for label in task.get("labels") or []],
        column=column,
        checklist=items,
        comments=[_comment(comment) for comment in task.get("comments") or []],
        people=[str(one["username"]) for one in task.get("assignees") or []],
    )


def _comment(comment: dict[str, Any]) -> PlannedComment:
    author = (comment.get("author") or {}).get("username") or "somebody"
    body, items = read_html(str(comment.get("comment") or ""))
    text = "\n".join([*filter(None, [body]), *(title for title, _ in items)])
    return PlannedComment(str(author), text or "-", instant(comment.get("created")))


def read_html(html: str) -> tuple[str, list[tuple[str, bool]]]:
    """A text of the editor as plain lines, and the items of its task lists. Older exports have plain text already."""
    lines, in_item, at = [""], False, 0
    items: list[tuple[str, bool]] = []

    def take(text: str) -> None:
        if in_item:
            items[-1] = (f"{items[-1][0]} {text}".strip(), items[-1][1])
        else:
            lines[-1] += text

    for tag in _TAG.finditer(html):
        take(unescape(html[at : tag.start()]))
        at, closes, name, rest = tag.end(), tag[1] == "/", tag[2].lower(), tag[3]
        checked = _CHECKED.search(rest)
        if closes:
            in_item = in_item and name != "li"
        elif name == "li" and checked is not None:
            in_item = True
            items.append(("", checked[1] == "true"))
        elif name in _BLOCKS and lines[-1].strip():
            lines.append("")
    take(unescape(html[at:]))
    return "\n".join(line.strip() for line in lines).strip(), items
