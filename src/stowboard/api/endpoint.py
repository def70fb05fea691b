"""One declaration of an operation: routing, decoding, scope, errors and OpenAPI all come from it.

A routes file ends with its literal table of endpoints. The handler gets a transaction, the call, the path's parameters
in the order of the path, and what `prepare` returned if there is one. It returns the data of the answer, or an `Answer`
where it has more to say. Its annotations must agree with the row, which a test compares.
A handler of a GET (or of a POST that `reads`) only reads; any other is one transaction, with its idempotency record.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Concatenate, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from stowboard.api.forms import FormFile
from stowboard.core.caller import Access, Author
from stowboard.core.decoding import examine
from stowboard.core.errors import Problem
from stowboard.core.reach import Role
from stowboard.core.services import Services
from stowboard.db.database import Tx
from stowboard.http.exchange import Sink

T = TypeVar("T")
BodyT = TypeVar("BodyT", covariant=True)
QueryT = TypeVar("QueryT", covariant=True)
#: The beginning of every endpoint's path.
BASE_PATH = "/api/v1"
MEBIBYTE = 1024 * 1024
JSON = "application/json"
_ROLES = {"read": Role.VIEWER, "write": Role.EDITOR, "delete": Role.EDITOR, "manage": Role.MANAGER}


Ignored = Annotated[
    list[str], msgspec.Meta(description="Members of the request's body that this operation does not know.")
]


class NoMeta(msgspec.Struct, frozen=True, kw_only=True):
    """`meta` of an answer that has nothing to add, unless some of the body was ignored."""

    ignored: Ignored | msgspec.UnsetType = msgspec.UNSET


class PageMeta(msgspec.Struct, frozen=True, rename="camel"):
    """`meta` of a list: follow nextCursor while hasMore is true."""

    limit: int
    has_more: bool
    next_cursor: str | None


class ItemRefusal(msgspec.Struct, frozen=True):
    """In `meta.refused` of an operation on many things: one that was left as it is, and why."""

    id: Annotated[str | None, msgspec.Meta(description="null for something that was to be made.")]
    code: str
    message: str


class Deleted(msgspec.Struct, frozen=True):
    """The answer of every DELETE."""

    id: str
    deleted: bool = True


#: Beside what ended: how many things of each kind ended with it.
Ended = Annotated[
    dict[str, int],
    msgspec.Meta(
        description="How many things ended with it, by kind: `tokens`, `invitations`, `webhooks`, `calendars`,"
        " `uploads`, `uploadsByUrl`, `imports`, `channels`. A kind that is not named had none."
    ),
]


class DeletedWithEnded(Deleted, frozen=True, kw_only=True):
    """The answer of a DELETE that takes other things with it."""

    ended: Ended


NO_META = NoMeta()


def view_of(view: type[T], item: object) -> T:
    """A thing as answers show it: the members of `view` have the names of its attributes."""
    return msgspec.convert(item, view, from_attributes=True)


class Answer(msgspec.Struct, frozen=True):
    """Data with meta, headers or a status. `status` None means the endpoint's own."""

    data: Any
    meta: Any = NO_META
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    #: The resource that the answer is about, if text of it may have to be forgotten. Then the kept answer is sealed.
    subject: str | None = None
    #: The same for an answer about several resources.
    subjects: tuple[str, ...] = ()


class StreamedAnswer(msgspec.Struct, frozen=True):
    """An answer that stays open: `begin` gives the sink to its writer. Its content type is among the headers."""

    begin: Callable[[Sink], None]
    headers: tuple[tuple[str, str], ...]


class Request(Protocol):
    """A request to an operation, over HTTP or as plain values (see perform.PlainRequest)."""

    @property
    def query(self) -> str:
        """The query string."""

    @property
    def origin(self) -> str:
        """The origin that absolute links in the answer begin with."""

    @property
    def door(self) -> str:
        """The door through which it came."""

    @property
    def if_match(self) -> str | None:
        """The versions that a change is for, as the header If-Match names them."""

    @property
    def strict(self) -> bool:
        """True if unknown members are to be refused: `Prefer: handling=strict`."""

    @property
    def last_event_id(self) -> str | None:
        """The event after which a stream continues, as the header Last-Event-ID names it."""

    @property
    def idempotency_key(self) -> str | None:
        """As it was sent. Raises IdempotencyKeyInvalid if it cannot be read."""

    async def read_body(self, endpoint: "AnyEndpoint") -> bytes:
        """The JSON text, the same at each call. Raises Problem if the body is refused."""


class Call(Generic[BodyT, QueryT]):
    """A request to an endpoint, checked and decoded, and its caller. `ignored` names members that were not bound."""

    __slots__ = ("_request", "access", "body", "caller", "ignored", "query", "services")

    def __init__(
        self,
        request: Request,
        services: Services,
        access: Access,
        body: BodyT,
        query: QueryT,
        ignored: Sequence[str] = (),
    ) -> None:
        self._request = request
        #: All components; `use` finds one.
        self.services = services
        #: The caller, with the role that the operation needs.
        self.access = access
        self.caller = access.caller
        self.body = body
        self.query = query
        self.ignored = ignored

    @property
    def origin(self) -> str:
        """The origin that absolute links in the answer begin with."""
        return self._request.origin

    @property
    def if_match(self) -> str | None:
        """The versions that a change is for; None for any."""
        return self._request.if_match

    @property
    def last_event_id(self) -> str | None:
        """The event after which a stream continues; None if the client named none."""
        return self._request.last_event_id

    @property
    def author(self) -> Author:
        """The author of what it writes."""
        return self.caller.author(self._request.door)

    def use(self, kind: type[T]) -> T:
        """A component of the service, as the composition root built it."""
        return self.services.use(kind)


AnyCall: TypeAlias = Call[Any, Any]


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[BodyT, QueryT]):
    method: str
    path: str
    run: Callable[Concatenate[Tx, Call[BodyT, QueryT], ...], Awaitable[Any]]
    answer: Any
    scope: str | None = None
    #: Scopes that it needs beside that one.
    also_scopes: tuple[str, ...] = ()
    #: The role that it needs in the space that it is about. By default its scope tells (see `needed_role`).
    role: Role | None = None
    body: type[BodyT] | None = None
    query: type[QueryT] | None = None
    #: With a body this is a subclass of NoMeta, so that it can name ignored members.
    meta: type[msgspec.Struct] = NoMeta
    #: Errors beyond those that follow from the row (see documents/catalogue.py).
    errors: Sequence[type[Problem]] = ()
    status: int = 200
    #: The content type of the answer; only a `StreamedAnswer` has another one than JSON.
    media_type: str = JSON
    #: Further statuses of success, with the reason for each.
    also: dict[int, str] = field(default_factory=dict)
    #: Slow work before the transaction (decoding, writing bytes), given the call and the path's parameters; its result
    #: is the handler's last argument.
    prepare: Callable[Concatenate[Call[BodyT, QueryT], ...], Awaitable[Any]] | None = None
    #: Slow work on the body that changes nothing, such as reading a long text; done for a replay as well.
    ahead: Callable[[Any], Awaitable[None]] | None = None
    #: True if its transaction is always a handful of statements (see Database.transact_short).
    short: bool = False
    #: True for an answer about one thing, which a client may keep: it has an ETag, and If-None-Match is honoured.
    revalidates: bool = False
    #: True for a POST that changes nothing, so that an Idempotency-Key has no effect.
    reads: bool = False
    #: True if the answer has a secret, or the effect outlives the token: the answer that is kept for replays is sealed,
    #: and the transaction asks for the caller's token and account again.
    secret: bool = False
    #: Removes from a kept answer what has to be forgotten (see idempotency.redact_replies).
    redact: Callable[[bytes], bytes] | None = None
    #: Shows the things with these ids as they are now, as JSON. With it, a long answer is kept as ids (see outline.py).
    show_again: Callable[[Tx, AnyCall, Sequence[str]], Awaitable[Mapping[str, msgspec.Raw]]] | None = None
    max_body: int = MEBIBYTE
    #: Advice at the end of the message for a larger body.
    if_too_large: str | None = None
    #: Takes the body as a form with a file, too.
    form: FormFile | None = None
    #: How to send files here, at the end of the message that refuses other forms.
    if_form: str | None = None
    #: Names of headers that a request may carry beyond those of every operation, with what they mean.
    takes: dict[str, str] = field(default_factory=dict)
    #: Names of headers that this operation's success may carry, with what they say.
    headers: dict[str, str] = field(default_factory=dict)
    #: An example of the body and of the answer's data.
    example_body: dict[str, Any] | None = None
    example: Any = None
    #: The path for which this one is an alias; the idempotency store treats both as one.
    alias_of: str | None = None

    def __post_init__(self) -> None:
        examine(self.answer)

    @property
    def needed_role(self) -> Role | None:
        """The least role in the space that it is about; None for an operation that is about no space."""
        return self.role or _ROLES.get((self.scope or "").partition(":")[2])

    @property
    def writes(self) -> bool:
        return self.method != "GET" and not self.reads

    @property
    def operation_id(self) -> str:
        first, *rest = self.run.__name__.split("_")
        return first + "".join(word.capitalize() for word in rest) + ("Alias" if self.alias_of else "")

    @property
    def parameters(self) -> list[str]:
        """Names of the path's parameters, in order."""
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]


AnyEndpoint: TypeAlias = Endpoint[Any, Any]
