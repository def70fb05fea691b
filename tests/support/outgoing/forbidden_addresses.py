"""Addresses that nobody may lead the service to: both ends and the middle of every network that is not public, and each
IPv4 one again in every form in which IPv6 can carry it."""

from ipaddress import IPv4Address, IPv6Address, ip_network

V4_NETWORKS = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32", "169.254.169.254/32", "169.254.170.2/32",
    "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "127.0.0.1/32",
]  # fmt: skip
V6_NETWORKS = [
    "::/128", "::1/128", "100::/64", "100:0:0:1::/64", "2001::/23", "2001::/32", "2001:2::/48", "2001:10::/28",
    "2001:20::/28", "2001:db8::/32", "2002::/16", "3fff::/20", "4000::/3", "5f00::/16", "fc00::/7", "fd00:ec2::254/128",
    "fe80::/10", "fec0::/10", "ff00::/8", "ff0e::/16", "64:ff9b::/96", "64:ff9b:1::/48", "::ffff:0:0/96", "::/96",
]  # fmt: skip
#: Where the IPv4 address stands in the IPv6 one: what is before it, and how many bits are behind it.
WRAPPINGS = [
    ("::", 0), ("::ffff:0:0", 0), ("::ffff:0:0:0", 0), ("64:ff9b::", 0), ("64:ff9b:1::", 0), ("64:ff9b:1:2:3::", 0),
    ("2002::", 80), ("2001:0:4136:e378:8000:63bf::", 0), ("fe80::5efe:0:0", 0),
]  # fmt: skip


def wrapped(address: IPv4Address, wrapping: tuple[str, int]) -> IPv6Address:
    before, behind = wrapping
    return IPv6Address(int(IPv6Address(before)) | int(address) << behind)


def _ends_and_middle(text: str) -> list[str]:
    network = ip_network(text)
    first, last = int(network.network_address), int(network.broadcast_address)
    kind = type(network.network_address)
    return [str(kind(number)) for number in {first, first + (last - first) // 2, last}]


V4 = sorted({address for network in V4_NETWORKS for address in _ends_and_middle(network)})
V6 = sorted({address for network in V6_NETWORKS for address in _ends_and_middle(network)})
WRAPPED = sorted({str(wrapped(IPv4Address(address), way)) for address in V4 for way in WRAPPINGS})
FORBIDDEN = [*V4, *V6, *WRAPPED]
