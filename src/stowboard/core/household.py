"""The unit by which addresses are counted."""

import ipaddress
from functools import lru_cache

#: A provider gives each customer at least this much of IPv6.
_IPV6_PREFIX = 64


@lru_cache(4096)
def household(address: str) -> str:
    """One address of IPv4, or 64 bits of IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, _IPV6_PREFIX), strict=False).network_address)
