"""An operation as a value: the request, and how to read its answer. Nothing here sends anything.

An operation is a plain function from its arguments to a `Call`. Members left `UNSET` are not sent; `None` is sent as
null, which clears an optional member. Query parameters know no null: there `None` is left out.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar, Union
from urllib.parse import quote

import httpx2
import msgspec
from msgspec import UNSET, UnsetType

from stowboard_client.errors import UnreadableAnswer
from stowboard_client.transport.decoding import decode

T = TypeVar("T")
Maybe: TypeAlias = Union[T, UnsetType]  # noqa: UP007  mypy takes no T | … as an alias
QueryValue = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    method: str
    path: str
    read: Callable[[httpx2.Response], T]
    query: Mapping[str, QueryValue] = field(default_factory=dict)
    body: object = UNSET
    headers: Mapping[str, str] = field(default_factory=dict)
    #: For a write; the library makes one if the caller gives none.
    idempotency_key: str | None = None
    #: True if the caller reads the answer as it arrives.
    stream: bool = False
    #: The id of a space; None if the caller names none, UNSET for an operation that takes none.
    space: Maybe[str | None] = UNSET

    def with_query(self, **values: QueryValue) -> "Call[T]":
        return dataclasses.replace(self, query={**self.query, **values})

    def in_space(self, default: str | None) -> "Call[T]":
        """The call in its own space, else in the default one. It is in the body; without a body, in the query."""
        space = default if self.space is None else self.space
        if not space:
            return self
        if isinstance(self.body, dict):
            return dataclasses.replace(self, body={**self.body, "spaceId": space})
        return self.with_query(spaceId=space)


class Model(msgspec.Struct, frozen=True, rename="camel"):
    """The base of all answers. Members that this version does not know are ignored."""


class Actor(Model, frozen=True, kw_only=True):
    """The person who did it, the token or application that they used, and the door."""

    person: str | None
    token_id: str
    application_id: str | None
    door: str


class Deleted(Model, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    deleted: bool
    #: How many other things ended with it, by kind.
    ended: dict[str, int] = {}


def path(template: str, *ids: str) -> str:
    """The template with each `{}` replaced by an id, as one segment.

    An id such as "" or ".." is refused here, since in a URL it would lead to another resource.
    """
    for given in ids:
        if given in ("", ".", ".."):
            raise ValueError(f"{given!r} is not an id")
    return template.format(*(quote(given, safe="") for given in ids))


def members(**values: object) -> dict[str, object]:
    """A JSON object of the values that were given, its names in camelCase."""
    return {_camel(name): value for name, value in values.items() if value is not UNSET}


def space_beside(other: object, space: str | None) -> Maybe[str | None]:
    """The space of an operation with `other`, such as a board. Unless a space is named, `other` decides it."""
    return space if other is None or other is UNSET else space or UNSET


def at_version(version: int | None) -> Mapping[str, str]:
    """The header for a change of exactly this version."""
    return {} if version is None else {"if-match": f'"{version}"'}


def at_state(etag: str | None) -> Mapping[str, str]:
    """The header for a change of exactly this state."""
    return {} if etag is None else {"if-match": etag}


def data(model: type[T]) -> Callable[[httpx2.Response], T]:
    """Read the envelope's `data` as the model."""
    return lambda response: _decode(response, _decode(response, response.content, _Envelope).data, model)


def whole(model: type[T]) -> Callable[[httpx2.Response], T]:
    """Read the envelope itself as the model, for answers whose `meta` matters."""
    return lambda response: _decode(response, response.content, model)


class _Envelope(msgspec.Struct):
    data: msgspec.Raw


def _decode(response: httpx2.Response, content: bytes | msgspec.Raw, model: type[T]) -> T:
    try:
        return decode(content, model)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        request = response.request
        raise UnreadableAnswer(f"{request.method} {request.url} answered {response.status_code}: {error}") from error


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)
