"""Faults in front of this service that requests of its pages reveal, for `stowboard doctor` to report.

Behind an untrusted proxy all clients have its address, and share the limits of one address. A page that was opened at
another address than the public one loses its cookies. Either is written to the audit log, at most once an hour by each
process: anybody can send such headers.
"""

import time

from stowboard.db.database import Database
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor
from stowboard.http.exchange import Exchange
from stowboard.http.origin import Origins, is_plain
from stowboard.http.proxies import Proxies

UNTRUSTED_PROXY, OTHER_ADDRESS = "proxy.untrusted", "address.other"
PAUSE_SECONDS = 3600.0


class Surroundings:
    def __init__(self, db: Database, proxies: Proxies, origins: Origins) -> None:
        self._db, self._proxies, self._origins = db, proxies, origins
        self._noted: dict[str, float] = {}

    async def look(self, exchange: Exchange) -> None:
        """Record what is wrong about a request that a page made."""
        proxy, page = self._proxies.unheeded(exchange), exchange.header("origin") or ""
        if proxy is not None:
            await self._note(UNTRUSTED_PROXY, proxy, exchange)
        if is_plain(page) and page != self._origins.of(exchange) and _is_own_page(exchange):
            await self._note(OTHER_ADDRESS, page, exchange)

    async def _note(self, action: str, subject: str, exchange: Exchange) -> None:
        now = time.monotonic()
        if now - self._noted.get(action, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return
        self._noted[action] = now
        await self._db.transact(audit.record, Actor(NOBODY, address=exchange.client), action, subject, "refused")


def _is_own_page(exchange: Exchange) -> bool:
    """True unless the browser names another site: a page of that has another address by rights."""
    return exchange.header("sec-fetch-site") in (None, "same-origin")
