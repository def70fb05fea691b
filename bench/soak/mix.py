"""The requests of the soak, and checks of their answers.

Each request is of a token by chance, four of five read. A task's title begins with its owner, so an answer that shows
another owner's task is found. Moves bring back as many tasks as completions take, so filters find as much at the end as
at the start. Only the newest page of a list is asked for; single tasks are any of those that were seeded.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec

#: Percent of all requests.
SHARES = {
    "get one": 40,
    "list 50": 20,
    "filtered list": 20,
    "create": 8,
    "edit": 6,
    "complete": 3,
    "move": 3,
}
KINDS = list(SHARES)
PAGE = 50
ID_LENGTH = 30
#: What the filtered list looks for; soak_seed.py gives it to about one task in five.
STATUS, TAG = "todo", "garden"

_PATH = b"/api/v1/taskapp/tasks"


class Plan(msgspec.Struct, frozen=True):
    """A seeded installation: every token has as many tasks, whose ids lie in a file one after the other."""

    port: int
    tokens: list[str]
    tasks_each: int
    ids: str


class Ask(msgspec.Struct, frozen=True, gc=False):
    """A request as it is sent, and what its answer must have."""

    kind: int
    wire: bytes
    owner: str
    expected: str = ""  # the id, title or status


class Mix:
    """Requests by chance, the same ones for the same seed."""

    def __init__(self, plan: Plan, seed: int) -> None:
        self._plan = plan
        self._ids = Path(plan.ids).read_bytes()
        self._tails = [_tail(plan.port, token) for token in plan.tokens]
        self._chance = random.Random(seed)
        self._deck = [kind for kind, name in enumerate(KINDS) for _ in range(SHARES[name])]
        makers: dict[str, Callable[[int], tuple[bytes, str]]] = {
            "get one": self._get_one,
            "list 50": self._list,
            "filtered list": self._filtered_list,
            "create": self._create,
            "edit": self._edit,
            "complete": self._complete,
            "move": self._move,
        }
        self._makers = [makers[kind] for kind in KINDS]
        self._count = 0

    def next(self) -> Ask:
        self._count += 1
        owner = int(self._chance.random() * len(self._tails))
        kind = self._deck[int(self._chance.random() * len(self._deck))]
        wire, expected = self._makers[kind](owner)
        return Ask(kind, wire, owner_name(owner), expected)

    def _get_one(self, owner: int) -> tuple[bytes, str]:
        task = self._task(owner)
        return self._get(owner, b"/" + task), task.decode()

    def _list(self, owner: int) -> tuple[bytes, str]:
        return self._get(owner, b"?limit=%d" % PAGE), ""

    def _filtered_list(self, owner: int) -> tuple[bytes, str]:
        return self._get(owner, f"?status={STATUS}&tags={TAG}&limit={PAGE}".encode()), ""

    def _create(self, owner: int) -> tuple[bytes, str]:
        title = f"{owner_name(owner)}: new {self._count}"
        return self._send(b"POST", owner, b"", {"title": title, "tags": [TAG], "body": "From the soak."}), title

    def _edit(self, owner: int) -> tuple[bytes, str]:
        title = f"{owner_name(owner)}: edited {self._count}"
        return self._send(b"PATCH", owner, b"/" + self._task(owner), {"title": title}), title

    def _complete(self, owner: int) -> tuple[bytes, str]:
        return self._send(b"POST", owner, b"/" + self._task(owner) + b"/complete", None), "done"

    def _move(self, owner: int) -> tuple[bytes, str]:
        return self._send(b"PATCH", owner, b"/" + self._task(owner) + b"/move", {"status": STATUS}), STATUS

    def _task(self, owner: int) -> bytes:
        number = owner * self._plan.tasks_each + int(self._chance.random() * self._plan.tasks_each)
        return self._ids[number * ID_LENGTH : (number + 1) * ID_LENGTH]

    def _get(self, owner: int, target: bytes) -> bytes:
        return b"GET %b%b%b\r\n" % (_PATH, target, self._tails[owner])

    def _send(self, method: bytes, owner: int, target: bytes, body: object) -> bytes:
        if body is None:
            return b"%b %b%b%bcontent-length: 0\r\n\r\n" % (method, _PATH, target, self._tails[owner])
        content = msgspec.json.encode(body)
        head = b"%b %b%b%bcontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        return head % (method, _PATH, target, self._tails[owner], len(content)) + content


def owner_name(number: int) -> str:
    return f"owner-{number:03}"


def find_fault(ask: Ask, status: int, body: bytes) -> str | None:
    """The fault of an answer, in words."""
    kind = KINDS[ask.kind]
    if status != (201 if kind == "create" else 200):
        return f"{kind}: {status} {body[:200]!r}"
    try:
        right = _CHECKS[kind](ask, body)
    except msgspec.DecodeError as error:
        return f"{kind}: {error}"
    return None if right else f"{kind}: not what was asked for: {body[:200]!r}"


class _Task(msgspec.Struct, gc=False):
    id: Annotated[str, msgspec.Meta(min_length=ID_LENGTH, max_length=ID_LENGTH)]
    title: str
    status: str
    tags: list[str]
    version: int


class _One(msgspec.Struct):
    data: _Task


class _Page(msgspec.Struct):
    data: list[_Task]


_one = msgspec.json.Decoder(_One)
_page = msgspec.json.Decoder(_Page)


def _is_the_task(ask: Ask, body: bytes) -> bool:
    task = _one.decode(body).data
    return task.id == ask.expected and task.title.startswith(ask.owner)


def _is_a_full_page(ask: Ask, body: bytes) -> bool:
    tasks = _page.decode(body).data
    ids = [task.id for task in tasks]
    return len(tasks) == PAGE and ids == sorted(ids, reverse=True) and _all_of(ask.owner, tasks)


def _is_filtered(ask: Ask, body: bytes) -> bool:
    tasks = _page.decode(body).data
    fits = all(task.status == STATUS and TAG in task.tags for task in tasks)
    return 0 < len(tasks) <= PAGE and fits and _all_of(ask.owner, tasks)


def _has_the_title(ask: Ask, body: bytes) -> bool:
    return _one.decode(body).data.title == ask.expected


def _has_the_status(ask: Ask, body: bytes) -> bool:
    task = _one.decode(body).data
    return task.status == ask.expected and task.title.startswith(ask.owner)


_CHECKS: dict[str, Callable[[Ask, bytes], bool]] = {
    "get one": _is_the_task,
    "list 50": _is_a_full_page,
    "filtered list": _is_filtered,
    "create": _has_the_title,
    "edit": _has_the_title,
    "complete": _has_the_status,
    "move": _has_the_status,
}


def _all_of(owner: str, tasks: list[_Task]) -> bool:
    return all(task.title.startswith(owner) for task in tasks)


def _tail(port: int, token: str) -> bytes:
    return f" HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n".encode()
