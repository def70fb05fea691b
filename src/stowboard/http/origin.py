"""The origin that links in documents and answers begin with: the configured public URL, else the request's host."""

import ipaddress
import re
from functools import lru_cache

from stowboard.core.errors import InvalidParameter
from stowboard.http.exchange import Exchange
from stowboard.http.proxies import Proxies

_PORT = re.compile(r":\d*$")
_HOST = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")


class Origins:
    def __init__(self, public_url: str | None, proxies: Proxies, host: str = "") -> None:
        """`host` is the address that the service listens on."""
        self._proxies = proxies
        self._is_local = public_url is None and _is_loopback(host)
        self._public = public_url.rstrip("/") if public_url else None

    def of(self, exchange: Exchange) -> str:
        if self._public:
            return self._public
        return _of_host(*self._proxies.scheme_and_host(exchange))

    def check_host(self, exchange: Exchange) -> None:
        """Raises InvalidParameter if a service that listens only on this machine gets a request for another host name.

        This stops DNS rebinding: a foreign page whose name was made to lead to this machine sends that name as Host.
        """
        if self._is_local and not self._proxies.are_trusted(exchange):
            name = _PORT.sub("", exchange.header("host") or "")
            if name and not _is_loopback(name):
                raise InvalidParameter(
                    "Host is not a name of this machine, which the service listens for alone. Ask for localhost; if a"
                    " proxy stands before the service, its operator sets public_url."
                )


def is_plain(origin: str) -> bool:
    """True for an origin that can be shown: scheme and host, and nothing else."""
    scheme, _, host = origin.partition("://")
    return scheme in ("http", "https") and _HOST.fullmatch(host) is not None


def _is_loopback(name: str) -> bool:
    if name.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


@lru_cache(64)
def _of_host(scheme: str, host: str) -> str:
    return f"{scheme}://{host if _HOST.fullmatch(host) else 'localhost'}"
