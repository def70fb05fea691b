"""Every place of a request where an id can stand: its path, its query, its body, and the operations of a batch.

A request is made whose ids are all of one space, and then again with one id of another space in one place.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, get_args

import httpx2
import msgspec

from stowboard.api.endpoint import AnyEndpoint
from stowboard.core.reach import Role
from stowboard.tasks.wire import TaskOperation
from support.api.space_matrix import MAKERS, MEDIA_RENAME, Matrix, is_admins, operations
from support.clients.people import fresh_name

NEVER = "01kbr2x4q8e9w6y3t7n5m1c0vz"
#: The kind of thing that a name stands for where the name itself does not tell.
KINDS = {
    "board": "board_id", "before_task_id": "neighbour_id", "after_task_id": "neighbour_id", "attachments": "asset_id",
    "assignees": "person", "ids": "asset_id", "id": "task_id", "subject": "task_id",
}  # fmt: skip
#: Ids that are no ids of things in a space: a part that is named below its whole, a person, an application. An upload
#: has to be a file of another program; tests/api/tasks/test_task_imports.py has its own.
NO_THINGS = {"event_id", "language", "username", "application_id", "version", "upload_id"}
#: A member that has no meaning without another one.
TOGETHER = {"column_id": "board_id"}
_LOOKS_LIKE_AN_ID = re.compile(r"[a-z]{3}_[0-9a-z]{26}")
_LISTS = {"ids", "attachments", "assignees"}


class IdSlot(msgspec.Struct, frozen=True):
    endpoint: AnyEndpoint
    #: `path`, `query`, `body`, or the word of an operation in a batch.
    place: str
    name: str

    @property
    def kind(self) -> str:
        if self.endpoint.path.startswith("/media/tags/renames/"):
            return MEDIA_RENAME
        if self.name == "id" and self.place == "body":
            return "asset_id"  # of an attachment
        return KINDS.get(self.name, self.name)

    @property
    def has_maker(self) -> bool:
        return self.kind in (*MAKERS, MEDIA_RENAME, "space_id", "person")

    def found_in(self, matrix: Matrix) -> str:
        """An id for this place, of the space of the matrix."""
        if self.kind in ("space_id", "person"):
            return matrix.space_id if self.kind == "space_id" else matrix.person
        if self.kind == MEDIA_RENAME:
            return matrix.keep_media_rename()
        whole = TOGETHER.get(self.kind)
        names = self._made_in_path if self.place == "path" else (self.kind,) if whole is None else (whole, self.kind)
        return matrix.keep(*names)[self.kind]

    @property
    def _made_in_path(self) -> tuple[str, ...]:
        return tuple(name for name in self.endpoint.parameters if name in MAKERS)

    @property
    def is_part(self) -> bool:
        """True for the second id of a path: a thing below another one."""
        return self.place == "path" and self.name != self.endpoint.parameters[0]

    @property
    def only_looks(self) -> bool:
        """True if it is enough for the operation to see what stands here."""
        needed = self.endpoint.needed_role
        if self.endpoint.path.endswith("/copy") and self.name == "space_id":
            return False
        return needed is None or Role.VIEWER.includes(needed)

    def __str__(self) -> str:
        return f"{self.endpoint.method} {self.endpoint.path} {self.place} {self.name}"

    def request(self, matrix: Matrix, found: str) -> Callable[[httpx2.Client], httpx2.Response]:
        """The request with all of its ids in the space of the matrix, but for `found` in this place."""
        ids = matrix.keep(*self._made_in_path) | {
            "space_id": matrix.space_id,
            "language": "en",
            "version": "1",
            "event_id": f"evt_{NEVER}",
            "username": "nobody",
        }
        if self.place == "path":
            ids |= {self.name: found}
        path = re.sub(r"\{(\w+)\}", lambda named: ids[named[1]], self.endpoint.path)
        query = {"q": "word"} if self.endpoint.path == "/search" else {}
        query |= {_wire(self.endpoint.query, self.name): found} if self.place == "query" else {}
        body = self._body(matrix, found) if self.endpoint.body is not None else None
        return lambda client: client.request(self.endpoint.method, path, params=query, json=body)

    def _body(self, matrix: Matrix, found: str) -> dict[str, Any]:
        body = dict(self.endpoint.example_body or {})
        if self.endpoint.path.endswith("/poster") and self.name == "asset_id":
            body = {}
        if self.name == "token_id":
            body.pop("applicationId", None)  # either of them
        if "idempotencyKey" in body:
            body["idempotencyKey"] = fresh_name("key")
        if "space_id" in _fields(self.endpoint.body):
            body["spaceId"] = matrix.space_id
        if "ids" in body:
            body["ids"] = [matrix.keep("asset_id")["asset_id"]]
        if self.endpoint.path.endswith("/move"):
            body = {"status": self._status}
        if self.place == "body":
            if self.name in ("board_id", "asset_id"):
                body.pop("spaceId", None)  # the thing tells the space
            return body | self._members(matrix, self.endpoint.body, found)
        if (operation := _OPERATIONS.get(self.place)) is not None:
            members = self._members(matrix, operation, found)
            body["operations"] = [{"op": self.place, **self._least(matrix), **members}]
        return body

    def _least(self, matrix: Matrix) -> dict[str, Any]:
        """The least that an operation of a batch has."""
        if self.place == "create":
            return {"title": "t"} | ({"spaceId": matrix.space_id} if self.name == "attachments" else {})
        return {"id": matrix.keep("task_id")["task_id"]} | ({"status": self._status} if self.place == "move" else {})

    @property
    def _status(self) -> str:
        """That of the column that `column_id` stands for, else of new tasks."""
        return "in_progress" if self.name == "column_id" else "todo"

    def _members(self, matrix: Matrix, struct: Any, found: str) -> dict[str, Any]:
        members: dict[str, Any] = {_wire(struct, self.name): [found] if self.name in _LISTS else found}
        if (other := TOGETHER.get(self.name)) is not None:
            members[_wire(struct, other)] = matrix.keep(other, self.kind)[other]
        return members


_OPERATIONS = {each.__struct_config__.tag: each for each in get_args(TaskOperation)}


def id_slots() -> Iterator[IdSlot]:
    """The places for ids in every operation that is about a space."""
    for endpoint in operations():
        if is_admins(endpoint):
            continue
        for name in endpoint.parameters:
            if name not in NO_THINGS:
                yield IdSlot(endpoint, "path", name)
        for place, struct in (("query", endpoint.query), ("body", endpoint.body)):
            yield from (IdSlot(endpoint, place, name) for name in _fields(struct) if _is_id(endpoint, struct, name))
        if "operations" in _fields(endpoint.body):
            for word, operation in _OPERATIONS.items():
                yield from (
                    IdSlot(endpoint, word, name) for name in _fields(operation) if _is_id(None, operation, name)
                )


def never_was(found: str) -> str:
    """An id of the same kind, of a thing that never was."""
    return found[:4] + NEVER


def _is_id(endpoint: AnyEndpoint | None, struct: Any, name: str) -> bool:
    """By its name, or since its example is one."""
    example = ((endpoint.example_body if endpoint is not None else None) or {}).get(_wire(struct, name))
    return name not in NO_THINGS and (
        name in KINDS
        or re.search(r"(^|_)ids?$", name) is not None
        or any(isinstance(each, str) and _LOOKS_LIKE_AN_ID.fullmatch(each) for each in _listed(example))
    )


def _listed(example: Any) -> list[Any]:
    return example if isinstance(example, list) else [example]


def _fields(struct: Any) -> tuple[str, ...]:
    return tuple(getattr(struct, "__struct_fields__", ()))


def _wire(struct: Any, name: str) -> str:
    return next(field.encode_name for field in msgspec.structs.fields(struct) if field.name == name)
