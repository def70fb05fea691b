"""The unit by which addresses are counted."""

import ipaddress

_IPV6_PREFIX = 64


def network_of(address: str) -> str:
    """An IPv4 address, or the 64 bits of an IPv6 address whose owner has all of the rest."""
    try:
        parsed = ipaddress.ip_address(address.strip("[]"))
    except ValueError:
        return address
    return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False)) if parsed.version == 6 else str(parsed)
