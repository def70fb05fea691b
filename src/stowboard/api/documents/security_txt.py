"""`/.well-known/security.txt` (RFC 9116): the contact for reports of weaknesses in this installation.

It exists if the operator has set a contact. It expires half a year after the day on which it is read. So the served
file is never expired, and an old copy says that it is too old.
"""

from datetime import UTC, datetime

from stowboard.core import clock
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins
from stowboard.http.static import StaticDocument, respond_with

PATH = "/.well-known/security.txt"
_DAY_MS = 86_400_000
_GOOD_FOR_DAYS = 182


def security_routes(contact: str | None, origins: Origins) -> list[Route]:
    """Empty if no contact is set."""
    if contact is None:
        return []

    async def security_txt(exchange: Exchange) -> None:
        lines = [f"Contact: {contact}", f"Expires: {_expires()}", f"Canonical: {origins.of(exchange)}{PATH}"]
        respond_with(exchange, StaticDocument("text/plain; charset=utf-8", "\n".join([*lines, ""]).encode()))

    return [Route("GET", PATH, security_txt)]


def _expires() -> str:
    day = clock.now_ms() // _DAY_MS + _GOOD_FOR_DAYS
    return datetime.fromtimestamp(day * _DAY_MS / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
