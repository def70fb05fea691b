"""One request of a delivery, through the guard of outgoing requests, under one clock for its whole answer."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from stowboard.core import clock
from stowboard.deliveries.delivery import DeliveryAttempt, DeliveryOutcome
from stowboard.http.outgoing.client import Outgoing, OutgoingReply
from stowboard.http.outgoing.failure import OutgoingFailed

ANSWER_BYTES = 1024


async def ask(
    outgoing: Outgoing,
    method: str,
    url: str,
    headers: Sequence[tuple[str, str]],
    payload: bytes,
    *,
    seconds: float,
    owner: str,
) -> DeliveryOutcome:
    """Send one request to an address that this owner chose, and say what came of it."""
    started, at = time.monotonic(), clock.now_ms()
    try:
        reply = await outgoing.fetch(
            method, url, headers, payload, most=ANSWER_BYTES, beginning=True, seconds=seconds, owner=owner
        )
    except OutgoingFailed as failure:
        return without_answer(_clean(str(failure)), at, _ms_since(started))
    answer = _clean(reply.body.decode("utf-8", "replace"))
    attempt = DeliveryAttempt(at=at, ms=_ms_since(started), status=reply.status, error=None, answer=answer)
    if 200 <= reply.status < 300:
        return DeliveryOutcome(attempt, succeeded=True)
    return DeliveryOutcome(attempt, gone=reply.status == 410, retry_after_s=_retry_after(reply))


def without_answer(error: str, at: int | None = None, ms: int = 0) -> DeliveryOutcome:
    """The outcome of an attempt that was not sent, or not answered."""
    at = clock.now_ms() if at is None else at
    return DeliveryOutcome(DeliveryAttempt(at=at, ms=ms, status=None, error=error, answer=""))


def _ms_since(started: float) -> int:
    return int((time.monotonic() - started) * 1000)


def _retry_after(reply: OutgoingReply) -> float | None:
    """Retry-After in seconds or as a date; None if it cannot be read."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isdecimal() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _clean(text: str) -> str:
    """PostgreSQL has no NUL in texts."""
    return text.replace("\0", "")
