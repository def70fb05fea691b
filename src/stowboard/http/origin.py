"""The origin that links in documents and answers begin with: the configured public URL, else the request's host."""

import re
from functools import lru_cache

from stowboard.http.exchange import Exchange
from stowboard.http.proxies import Proxies

_HOST = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")


class Origins:
    def __init__(self, public_url: str | None, proxies: Proxies) -> None:
        self._proxies = proxies
        self._public = public_url.rstrip("/") if public_url else None
        self._of_host = lru_cache(64)(_of_host)

    def of(self, exchange: Exchange) -> str:
        if self._public:
            return self._public
        return self._of_host(*self._proxies.scheme_and_host(exchange))


def is_plain(origin: str) -> bool:
    """Whether a header says an origin that can be shown: scheme and host, and nothing else."""
    scheme, _, host = origin.partition("://")
    return scheme in ("http", "https") and _HOST.fullmatch(host) is not None


def _of_host(scheme: str, host: str) -> str:
    return f"{scheme}://{host if _HOST.fullmatch(host) else 'localhost'}"
