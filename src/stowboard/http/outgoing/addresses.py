"""The IP addresses that the service may connect to for a user: public ones, and networks that the operator allows.

`ipaddress.is_global` alone is not enough: it accepts wrapped and old forms (NAT64 of the metadata address, 6to4 of
loopback, multicast), and changes with Python's version. So this file lists what is refused. Of IPv6 only 2000::/3 is
public, without the networks that wrap an IPv4 address or are for documentation. So no address can hide another one
inside it.
"""

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Annotated, TypeAlias

import msgspec

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import several

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

#: Refused unless the operator allows the network.
_NOT_PUBLIC = [
    ip_network(text)
    for text in (
        "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
        "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    )
]  # fmt: skip
#: Refused whatever the operator allows: nowhere, everywhere, link-local, and where clouds keep a machine's credentials.
_NEVER = [
    ip_network(text)
    for text in (
        "0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32", "100.100.100.200/32", "168.63.129.16/32",
        "192.0.0.192/32", "::/128", "fe80::/10", "ff00::/8", "fd00:ec2::/32", "fd20:ce::254/128",
    )
]  # fmt: skip
_PUBLIC_V6 = IPv6Network("2000::/3")
#: The place of an IPv4 address inside an IPv6 one: the network, and the number of bits behind the address.
_WRAPS = [
    (IPv6Network("::/96"), 0),
    (IPv6Network("::ffff:0:0/96"), 0),
    (IPv6Network("::ffff:0:0:0/96"), 0),
    (IPv6Network("64:ff9b::/96"), 0),
    (IPv6Network("64:ff9b:1::/48"), 0),
    (IPv6Network("2002::/16"), 80),
]


class OutgoingSettings(msgspec.Struct, frozen=True):
    """Networks (`192.168.10.0/24`) that may be asked although they are not public, also without TLS."""

    allow: Annotated[tuple[str, ...], Setting("outgoing_allow", several)] = ()

    def validate(self) -> None:
        for text in self.allow:
            try:
                ip_network(text)
            except ValueError:
                raise ValueError(
                    f"STOWBOARD_OUTGOING_ALLOW has {text!r}, which is no network like 192.168.10.0/24."
                ) from None

    @property
    def networks(self) -> list[Network]:
        return [ip_network(text) for text in self.allow]


def may_be_asked(text: str, allowed: Sequence[Network]) -> bool:
    """True if we may connect to this address. `text` is a plain address, as a resolver gives it."""
    address = ip_address(text)
    return _may_be_asked(address, allowed) and (_within(address, allowed) or not _is_own(address))


def is_allowed(text: str, allowed: Sequence[Network]) -> bool:
    """True if it lies in a network that the operator has named."""
    return _within(ip_address(text), allowed)


def _may_be_asked(address: Address, allowed: Sequence[Network]) -> bool:
    if getattr(address, "scope_id", None) or _within(address, _NEVER):
        return False
    inner = _wrapped(address)
    if inner is not None:  # only if the operator allows NAT64, and then the inner address is checked too
        return _within(address, allowed) and _may_be_asked(inner, allowed)
    return _within(address, allowed) or _is_public(address)


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address) and address not in _PUBLIC_V6:
        return False
    return address.is_global and not address.is_multicast and not _within(address, _NOT_PUBLIC)


def _wrapped(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address) or address == IPv6Address("::1"):
        return None
    for network, behind in _WRAPS:
        if address in network:
            return IPv4Address(int(address) >> behind & 0xFFFFFFFF)
    return None


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def _is_own(address: Address) -> bool:
    """True if this machine has the address: a firewall may protect its services from others. Sends nothing."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
