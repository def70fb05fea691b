"""One operation from its description to its result: credentials, retries, errors. No input or output happens here.

Only requests that are safe to repeat are repeated. Reads are safe. So are writes: all attempts of a write have one
Idempotency-Key, so the service performs it once and replays the answer. A retry waits as long as the service asks,
otherwise exponentially longer with jitter. A request that met the rate limit is tried again whatever the number of
retries, since nothing was done. No attempt starts after `patience` seconds; one that runs then may still take its
`timeout`.
"""

import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

import httpx2
import msgspec
from msgspec import UNSET

from stowboard_client.errors import ApiError, ConnectionFailed, StowboardError, checked
from stowboard_client.transport.auth import Bearer, ClientCredentials, FetchedToken, FixedToken, SignedIn, header_value
from stowboard_client.transport.call import Call
from stowboard_client.transport.rate_limit import RateLimit, parse_rate_limit
from stowboard_client.transport.steps import STREAM, Pause, Steps
from stowboard_client.version import __version__

T = TypeVar("T")

_VERSION_PREFIX = "/api/v1"
_READS = {"GET", "HEAD", "OPTIONS"}
# Not 507 (a full disk stays full for long), and not 500 (a bug fails every time).
_RETRIED_STATUSES = {429, 502, 503, 504}
_RETRIED_CODES = {"idempotency_in_progress"}
_FIRST_DELAY = 0.25
_LONGEST_DELAY = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    #: Attempts after the first.
    retries: int = 4
    #: Seconds from the first attempt after which no other is started.
    patience: float = 60.0
    #: Seconds that connecting, and each silence of the server, may last.
    timeout: float = 30.0
    #: The space of every list, creation, upload and search that names none.
    space: str | None = None


@dataclass(slots=True)
class LastAnswer:
    """Headers of the latest answer; with concurrent calls, of whichever came last."""

    request_id: str | None = None
    rate_limit: RateLimit | None = None


@dataclass(frozen=True, slots=True)
class Session:
    base_url: str
    bearer: Bearer
    options: Options = Options()
    last: LastAnswer = field(default_factory=LastAnswer)
    now: Callable[[], float] = time.monotonic
    #: Answers of the installation that never change. Each is asked for once.
    learned: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def to(cls, base_url: str, auth: str | ClientCredentials | SignedIn | Bearer) -> Self:
        """A session with the service at this address, given with or without `/api/v1`."""
        root = _root(base_url)
        if isinstance(auth, str):
            auth = FixedToken(auth)
        elif isinstance(auth, ClientCredentials | SignedIn):
            auth = FetchedToken(auth, root + "/oauth/token", time.monotonic)
        return cls(root + _VERSION_PREFIX, auth)

    def perform(self, call: Call[T]) -> Steps[T]:
        request = self._request(call)
        started, attempts, failures = self.now(), 0, 0
        while True:
            attempts += 1
            try:
                return (yield from self._attempt(call, request))
            except StowboardError as failure:
                failures += not _is_limited(failure)
                delay = self._delay(failure, attempts, failures, started)
                if delay is None:
                    failure.idempotency_key = request.headers.get("idempotency-key")
                    raise
            yield Pause(delay)

    def _request(self, call: Call[T]) -> httpx2.Request:
        """One request for all attempts, so that they cannot differ."""
        call = call.in_space(self.options.space)
        headers = {"accept": "application/json", **call.headers}
        content = None
        if call.method.upper() not in _READS:
            key = str(uuid.uuid4()) if call.idempotency_key is None else call.idempotency_key
            headers["idempotency-key"] = header_value(key, "the idempotency key")
        if call.body is not UNSET:
            headers["content-type"] = "application/json"
            content = msgspec.json.encode(call.body)
        query = {name: value for name, value in call.query.items() if value is not None}
        url = httpx2.URL(self.base_url + call.path)
        return httpx2.Request(
            call.method, url.copy_merge_params(query) if query else url, headers=headers, content=content,
            extensions={STREAM: call.stream},
        )  # fmt: skip

    def _attempt(self, call: Call[T], request: httpx2.Request) -> Steps[T]:
        token, response = yield from self._authorized(request)
        if response.status_code == 401 and self.bearer.renewable(token):
            _, response = yield from self._authorized(request)
        return call.read(checked(response))

    def _authorized(self, request: httpx2.Request) -> Steps[tuple[str, httpx2.Response]]:
        token = yield from self.bearer.token(self.send)
        request.headers["authorization"] = f"Bearer {token}"
        return token, (yield from self.send(request))

    def send(self, request: httpx2.Request) -> Steps[httpx2.Response]:
        request.headers["user-agent"] = f"stowboard-client/{__version__}"
        request.extensions["timeout"] = httpx2.Timeout(self.options.timeout).as_dict()
        outcome = yield request
        if isinstance(outcome, httpx2.Response):
            self._remember(outcome)
            return outcome
        raise ConnectionFailed(f"{request.method} {request.url}: {type(outcome).__name__}: {outcome}") from outcome

    def _remember(self, response: httpx2.Response) -> None:
        self.last.request_id = response.headers.get("x-request-id")
        if "ratelimit" in response.headers:
            self.last.rate_limit = parse_rate_limit(response.headers["ratelimit"])

    def _delay(self, failure: StowboardError, attempts: int, failures: int, started: float) -> float | None:
        """Seconds until the next attempt; None if this was the last. The limit is waited out and is no failure."""
        if (failures > self.options.retries and not _is_limited(failure)) or not _passes(failure):
            return None
        asked = failure.retry_after if isinstance(failure, ApiError) else None
        delay = max(asked or 0.0, backoff(attempts))
        return delay if self.now() - started + delay <= self.options.patience else None


def _root(base_url: str) -> str:
    url = httpx2.URL(base_url)
    if url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query or url.fragment:
        raise ValueError("the base URL must be http(s)://host[:port][/path], without credentials and query")
    return str(url).rstrip("/").removesuffix(_VERSION_PREFIX)


def _is_limited(failure: StowboardError) -> bool:
    return isinstance(failure, ApiError) and failure.status == 429


def _passes(failure: StowboardError) -> bool:
    """True if the same request may succeed later."""
    if isinstance(failure, ApiError):
        return failure.status in _RETRIED_STATUSES or failure.code in _RETRIED_CODES
    return isinstance(failure, ConnectionFailed)


def backoff(attempts: int) -> float:
    longest = min(_LONGEST_DELAY, _FIRST_DELAY * 2.0 ** (attempts - 1))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311  it spreads load and guards nothing
