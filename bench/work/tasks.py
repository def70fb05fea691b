"""List, read and create tasks: the same work for every service, and the checks that its answers are right.

Every service holds `Task 0`, `Task 1` … of one owner and, written after them, tasks of somebody else, which a list
that forgets its owner would show first. Before each turn one request is made and its answer looked into; during the
turn only the status counts. No read repeats another of lately, so that nobody can answer from memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2

from bench.harness.figures import Contender, Sample, Void
from bench.harness.load import Load, Targets, wrk

PAGE = 50
OF_OTHERS = 100
BODY = "The fern on the window sill too, and a little less for the cactus."
BODY_OF_OTHERS = "Nobody else may read this."
TAGS = ["garden", "home"]
DUE_MS = 1_924_941_600_000

Document = dict[str, Any]
T = TypeVar("T")


def text_of(number: int) -> Document:
    """The members that all services call the same. Each service spells a due date and the owner in its own way."""
    return {"title": f"Task {number}", "body": BODY, "status": "todo", "tags": TAGS}


@dataclass(frozen=True, slots=True)
class TaskApi:
    """How a service is asked. `one` and `many` take the task, or the page of tasks, out of an answer."""

    pid: int
    url: str
    headers: dict[str, str]
    newest: str  # the query of the newest tasks, a page of them
    new: Document  # the body of a creation
    one: Callable[[Any], Document]
    many: Callable[[Any], list[Document]]
    created: int = 201
    ids: tuple[str, ...] = ()  # of tasks to be read in turn; without any, the same one is read


def list_newest(api: TaskApi) -> Contender:
    load = Load(_page_url(api), api.headers, targets=Targets(_spellings(_page_url(api))))

    def turn(seconds: float) -> Sample:
        _checked_page(api)
        return wrk(load, api.pid, seconds)

    return turn


def get_one(api: TaskApi) -> Contender:
    targets = Targets(tuple(urlsplit(f"{api.url}/{one}").path for one in api.ids)) if api.ids else None

    def turn(seconds: float) -> Sample:
        wanted = _checked_page(api)[PAGE // 2]
        url = f"{api.url}/{wanted['id']}"
        _check_task(_read(api, url), wanted["id"], wanted["title"])
        return wrk(Load(url, api.headers, targets=targets), api.pid, seconds)

    return turn


def create(api: TaskApi) -> Contender:
    load = Load(api.url, api.headers | {"content-type": "application/json"}, "POST", json.dumps(api.new))

    def turn(seconds: float) -> Sample:
        made = _taken(api.one, api.created, "POST", load.url, load.headers, load.body)
        _check_task(made, made.get("id"), api.new["title"])
        _check_task(_read(api, f"{api.url}/{made['id']}"), made["id"], api.new["title"])
        return wrk(load, api.pid, seconds)

    return turn


def _page_url(api: TaskApi) -> str:
    return f"{api.url}?{api.newest}"


def _spellings(url: str) -> tuple[str, ...]:
    """The same page by a thousand other addresses: letters of the query as escapes, and empty parameters."""
    path, query = urlsplit(url).path, urlsplit(url).query
    letters = [at for at, letter in enumerate(query) if letter.isalnum()][:6]
    return tuple(
        f"{path}?{'&' * empty}{_escaped(query, {at for bit, at in enumerate(letters) if number >> bit & 1})}"
        for empty in range(16)
        for number in range(1 << len(letters))
    )


def _escaped(text: str, places: set[int]) -> str:
    return "".join(f"%{ord(letter):02X}" if at in places else letter for at, letter in enumerate(text))


def _checked_page(api: TaskApi) -> list[Document]:
    page = _taken(api.many, 200, "GET", _page_url(api), api.headers)
    if len({task.get("id") for task in page}) != PAGE:
        raise Void(f"a list of {len(page)} tasks in place of {PAGE}")
    for task in page:
        _check_task(task, task.get("id"), task.get("title"))
    return page


def found(api: TaskApi, url: str) -> list[Document]:
    """The tasks that are listed there."""
    return _taken(api.many, 200, "GET", url, api.headers)


def _read(api: TaskApi, url: str) -> Document:
    return _taken(api.one, 200, "GET", url, api.headers)


def _taken(
    take: Callable[[Any], T], status: int, method: str, url: str, headers: Mapping[str, str], body: str = ""
) -> T:
    """The wanted part of an answer of this status."""
    try:
        answer = httpx2.request(method, url, headers=dict(headers), content=body or None, timeout=30)
        if answer.status_code == status:
            return take(answer.json())
    except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
        raise Void(f"{method} {url}: {error!r}") from error
    raise Void(f"{method} {url}: {answer.status_code} in place of {status}: {answer.text[:200]}")


def _check_task(task: Document, task_id: object, title: object) -> None:
    """The body tells the owner's tasks from those of others."""
    told = (task.get("id"), task.get("title"), task.get("body"), sorted(task.get("tags") or []))
    if not task_id or not str(title).startswith("Task ") or told != (task_id, title, BODY, TAGS):
        raise Void(f"the wrong task: {str(task)[:200]}")
