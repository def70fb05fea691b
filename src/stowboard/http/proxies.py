"""The client behind proxies: X-Forwarded-For, -Proto and -Host of those that are trusted.

By default no proxy is trusted, and the peer of the connection is the client. If the peer is a trusted proxy, its
headers count: the client is the last address of X-Forwarded-For that is not a trusted proxy itself.
"""

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

from stowboard.core.settings.values import several
from stowboard.http.exchange import Exchange

_MOST_REMEMBERED = 4096
_FORWARDED = ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host")


def read_networks(text: str) -> tuple[str, ...]:
    networks = several(text)
    try:
        Proxies(networks)
    except ValueError as error:
        raise ValueError(f"must be addresses or networks, such as 10.0.0.0/8: {error}") from None
    return networks


class Proxies:
    def __init__(self, trusted: Sequence[str] = ()) -> None:
        """Addresses or networks. Raises ValueError."""
        self._networks = [ipaddress.ip_network(text) for text in trusted]
        #: True for addresses that are trusted; remembered.
        self.is_trusted = lru_cache(_MOST_REMEMBERED)(self._look_up)

    def client_of(self, exchange: Exchange) -> str:
        """The address that the request comes from."""
        peer = _peer(exchange)
        if not self._networks or not self.is_trusted(peer):
            return peer
        hops = [hop.strip() for value in exchange.header_list("x-forwarded-for") for hop in value.split(",")]
        while hops and self.is_trusted(peer) and (before := _address(hops.pop())) is not None:
            peer = before
        return peer

    def are_trusted(self, exchange: Exchange) -> bool:
        """True if the peer is a trusted proxy."""
        return bool(self._networks) and self.is_trusted(_peer(exchange))

    def unheeded(self, exchange: Exchange) -> str | None:
        """The peer, if it sends X-Forwarded-… headers and is not trusted."""
        peer = _peer(exchange)
        speaks = any(exchange.has_header(name) for name in _FORWARDED)
        return peer if speaks and not self.is_trusted(peer) else None

    def scheme_and_host(self, exchange: Exchange) -> tuple[str, str]:
        """The scheme and host that the client used."""
        scheme, host = exchange.scheme, exchange.header("host") or ""
        if self.are_trusted(exchange):
            said = _last(exchange, "x-forwarded-proto").lower()
            return said if said in ("http", "https") else scheme, _last(exchange, "x-forwarded-host") or host
        return scheme, host

    def _look_up(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        known = getattr(found, "ipv4_mapped", None) or found
        return any(known in network for network in self._networks)


def _peer(exchange: Exchange) -> str:
    return exchange.peer.rpartition(":")[0].strip("[]")


def _address(text: str) -> str | None:
    """The address in `192.0.2.1`, `192.0.2.1:1234`, `2001:db8::1` or `[2001:db8::1]:1234`; None for anything else."""
    bare = text.partition("]")[0].removeprefix("[") if text.startswith("[") else text
    if bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return None


def _last(exchange: Exchange, name: str) -> str:
    """The value that the proxy next to us added; others may have added theirs before."""
    values = exchange.header_list(name)
    return values[-1].rpartition(",")[2].strip() if values else ""
