"""Clients that write over several nodes whatever befalls these, and a check of what they were told against what is
there.

Each client is an owner of its own and does one thing after the other, under a key and again until it is answered: so
in the end there must be exactly what it knows of, nothing less and nothing twice.
"""

import base64
import hashlib
import random
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import httpx2

from support.waiting import PATIENCE_SECONDS

#: Makes an HTTP client without a token, for which addresses of the installation are paths.
MakeHttp = Callable[[], httpx2.Client]

TASKS, FILES, ASSETS = "/api/v1/taskapp/tasks", "/api/v1/media/upload/file", "/api/v1/media/assets"
#: Seconds without trouble after which the service counts as back.
QUIET_SECONDS = 0.7
#: Between one thing and the next, so that two cores can also start servers meanwhile.
PAUSE_SECONDS = 0.04
MOST_FETCHED = 40


@dataclass(frozen=True)
class Refusal:
    at: float
    path: str
    status: int
    code: str
    retry_after: str | None


@dataclass
class Load:
    """Use as a context; on leaving it everything that was begun is answered."""

    make_http: MakeHttp
    admin_token: str
    threads: int = 5
    writers: list["Writer"] = field(default_factory=list)

    def __enter__(self) -> Self:
        with self.make_http() as http:
            self.writers = [Writer(self.make_http, _new_owner(http, self.admin_token)) for _ in range(self.threads)]
        for writer in self.writers:
            writer.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for writer in self.writers:
            writer.ending.set()
        for writer in self.writers:
            writer.thread.join()
        if error is None:
            for writer in self.writers:
                if writer.failure is not None:
                    raise writer.failure

    @property
    def acknowledged(self) -> int:
        """Writes that were answered with success."""
        return sum(writer.acknowledged for writer in self.writers)

    @property
    def refusals(self) -> list[Refusal]:
        return [refusal for writer in self.writers for refusal in writer.refusals]

    @property
    def broken(self) -> int:
        """Requests that got no answer."""
        return sum(len(writer.broken) for writer in self.writers)

    @property
    def slowest(self) -> float:
        """Seconds of the longest request."""
        return max(writer.slowest for writer in self.writers)

    def settle(self) -> float:
        """Call it when a fault is over. Waits until all is as before; how many seconds there was still trouble."""
        healed = time.monotonic()
        while time.monotonic() < max(healed, self._last_trouble()) + QUIET_SECONDS or self._waiting_since(healed):
            assert time.monotonic() < healed + PATIENCE_SECONDS, "it does not come back"
            time.sleep(0.02)
        return max(0.0, self._last_trouble() - healed)

    def check(self, make_http: MakeHttp) -> float:
        """Check that what is there is what was acknowledged. Call it when all is as before.

        Bytes that wait for a worker are waited for: the seconds until the last of them was processed.
        """
        began = time.monotonic()
        with make_http() as http:
            for writer in self.writers:
                writer.wait_until_processed(http)
            waited = time.monotonic() - began
            for writer in self.writers:
                writer.check(http)
        return waited

    def summary(self) -> str:
        seen = Counter(f"{refusal.status} {refusal.code}" for refusal in self.refusals)
        refused = ", ".join(f"{count}x {kind}" for kind, count in seen.items()) or "none"
        return (
            f"{self.acknowledged} writes acknowledged; refused: {refused}; {self.broken} connections broken; "
            f"the slowest request took {self.slowest:.1f} s"
        )

    def _last_trouble(self) -> float:
        return max((time_of for writer in self.writers for time_of in writer.trouble()), default=0.0)

    def _waiting_since(self, moment: float) -> bool:
        """True if a writer has had no success since then."""
        return any(writer.failure is None and writer.last_success < moment for writer in self.writers)


class Writer:
    """One owner, who knows what exists."""

    def __init__(self, make_http: MakeHttp, token: str) -> None:
        self._make_http, self._headers = make_http, {"authorization": f"Bearer {token}"}
        self._tag = secrets.token_hex(6)  # assets are everybody's
        self._titles: dict[str, str] = {}
        self._checksums: dict[str, str] = {}
        self.acknowledged = 0
        self.refusals: list[Refusal] = []
        self.broken: list[float] = []
        self.slowest = 0.0
        self.last_success = self.last_write = 0.0
        self.failure: BaseException | None = None
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._work)

    def trouble(self) -> list[float]:
        return [*(refusal.at for refusal in self.refusals[-1:]), *self.broken[-1:]]

    def wait_until_processed(self, http: httpx2.Client) -> None:
        give_up = time.monotonic() + PATIENCE_SECONDS
        while self._all(http, ASSETS, tags=self._tag, processingStatus="processing"):
            assert time.monotonic() < give_up, "bytes are not processed"
            time.sleep(0.05)

    def check(self, http: httpx2.Client) -> None:
        tasks = self._all(http, TASKS)
        assert len(tasks) == len(self._titles)
        assert {task["id"]: task["title"] for task in tasks} == self._titles
        files = self._all(http, ASSETS, tags=self._tag)
        assert len(files) == len(self._checksums)
        assert {file["id"]: file["checksum"] for file in files} == self._checksums
        for file in random.sample(files, min(MOST_FETCHED, len(files))):
            assert _checksum(http.get(file["url"]).content) == file["checksum"]

    def _work(self) -> None:
        try:
            with self._make_http() as http:
                self._write(http, "POST", "/api/v1/taskapp/task-index/backfill")
                while not self.ending.wait(PAUSE_SECONDS):
                    self._do_something(http)
        except BaseException as error:
            self.failure = error

    def _do_something(self, http: httpx2.Client) -> None:
        match random.randrange(9):
            case 0 | 1 | 2:
                title = secrets.token_hex(8)
                self._titles[self._write(http, "POST", TASKS, {"title": title})["id"]] = title
            case 3 if self._titles:
                task_id, title = random.choice(list(self._titles)), secrets.token_hex(8)
                self._write(http, "PATCH", f"{TASKS}/{task_id}", {"title": title})
                self._titles[task_id] = title
            case 4 if len(self._titles) > 5:
                task_id = random.choice(list(self._titles))
                self._write(http, "DELETE", f"{TASKS}/{task_id}")
                del self._titles[task_id]
            case 5:
                content, encoded = _content()
                body = {"filename": "a.bin", "data": encoded, "tags": [self._tag]}
                self._checksums[self._write(http, "POST", FILES, body)["id"]] = _checksum(content)
            case 6 if self._checksums:
                self._replace(http, random.choice(list(self._checksums)))
            case _ if self._titles:
                task_id = random.choice(list(self._titles))
                found = self._answered(http, "GET", f"{TASKS}/{task_id}").json()["data"]
                assert found["title"] == self._titles[task_id], "what was acknowledged is read, at whichever node"

    def _replace(self, http: httpx2.Client, asset_id: str) -> None:
        """If the asset is not just being processed; the bytes before are served until a worker has done it."""
        if self._answered(http, "GET", f"{ASSETS}/{asset_id}").json()["data"]["processingStatus"] == "ready":
            content, encoded = _content()
            body = {"mimeType": "application/octet-stream", "originalName": "b.bin", "size": len(content)}
            self._write(http, "POST", f"{ASSETS}/{asset_id}/replace", body | {"imageData": encoded})
            self._checksums[asset_id] = _checksum(content)

    def _write(self, http: httpx2.Client, method: str, path: str, body: object = None) -> Any:
        key = {"idempotency-key": secrets.token_hex(16)}
        answer = self._answered(http, method, path, body, key)
        self.acknowledged += 1
        self.last_write = time.monotonic()
        if self.acknowledged % 10 == 0:
            again = self._answered(http, method, path, body, key)
            assert (again.content, again.headers["idempotent-replayed"]) == (answer.content, "true")
        return answer.json()["data"]

    def _answered(
        self, http: httpx2.Client, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """The answer of the first attempt that had one."""
        give_up = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < give_up:
            asked = time.monotonic()
            try:
                answer = http.request(method, path, json=body, headers={**self._headers, **(headers or {})})
            except httpx2.TransportError:
                self.broken.append(time.monotonic())
                time.sleep(0.02)
                continue
            self.slowest = max(self.slowest, time.monotonic() - asked)
            if answer.is_success:
                self.last_success = time.monotonic()
                return answer
            self._refused(path, answer)
            time.sleep(0.05)
        raise TimeoutError(f"{method} {path} was not answered")

    def _refused(self, path: str, answer: httpx2.Response) -> None:
        code, retry_after = answer.json()["error"]["code"], answer.headers.get("retry-after")
        refusal = Refusal(time.monotonic(), path, answer.status_code, code, retry_after)
        self.refusals.append(refusal)
        check_refusal(answer)

    def _all(self, http: httpx2.Client, path: str, **query: str) -> list[Any]:
        """Every item of a list, page after page, each from a node by chance."""
        items: list[Any] = []
        while True:
            answer = http.get(path, params={"limit": "100", **query}, headers=self._headers)
            assert answer.status_code == 200, answer.text
            items += answer.json()["data"]
            if (cursor := answer.json()["meta"]["nextCursor"]) is None:
                return items
            query["cursor"] = cursor


def check_refusal(answer: httpx2.Response) -> None:
    """A request was not done, or nobody knows whether it was."""
    told = answer.status_code, answer.json()["error"]["code"]
    assert told in {(503, "service_unavailable"), (503, "outcome_unknown"), (409, "idempotency_in_progress")}, told
    assert ("retry-after" in answer.headers) == (told != (503, "outcome_unknown")), told


def _new_owner(http: httpx2.Client, admin_token: str) -> str:
    owner = {"owner": "load" + secrets.token_hex(6)}
    answer = http.post("/api/v1/access/tokens", json=owner, headers={"authorization": f"Bearer {admin_token}"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["token"])


def _content() -> tuple[bytes, str]:
    """Bytes that nobody else has, also in base64."""
    content = secrets.token_bytes(2000)
    return content, base64.b64encode(content).decode()


def _checksum(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
