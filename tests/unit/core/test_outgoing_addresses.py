"""Which addresses and URLs the service may be led to by somebody else."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowboard.http.outgoing.addresses import OutgoingSettings, may_be_asked
from stowboard.http.outgoing.failure import OutgoingFailed
from stowboard.http.outgoing.target import read_target
from support.outgoing.forbidden_addresses import FORBIDDEN, V4_NETWORKS, WRAPPINGS, wrapped

ANY_NETWORK = [ip_network("0.0.0.0/0"), ip_network("::/0")]
METADATA = ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"]
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.215.14", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "2a00:1450:4001::1"]

private = st.sampled_from([ip_network(text) for text in V4_NETWORKS]).flatmap(
    lambda network: st.integers(int(network.network_address), int(network.broadcast_address)).map(IPv4Address)
)


def test_there_are_more_than_four_hundred_of_them() -> None:
    assert len(set(FORBIDDEN)) > 400


def test_a_forbidden_address_is_refused() -> None:
    assert [address for address in FORBIDDEN if may_be_asked(address, [])] == []


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_may_be_asked(address: str) -> None:
    assert may_be_asked(address, [])


@given(private, st.sampled_from(WRAPPINGS))
def test_nothing_private_passes_however_it_is_wrapped(address: IPv4Address, wrapping: tuple[str, int]) -> None:
    assert not may_be_asked(str(address), [])
    assert not may_be_asked(str(wrapped(address, wrapping)), [])


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_an_ipv6_address_that_passes_is_of_the_public_range_and_wraps_nothing(address: IPv6Address) -> None:
    if may_be_asked(str(address), []):
        assert address in ip_network("2000::/3")
        assert address.sixtofour is None
        assert address.teredo is None
        assert address.is_global


@given(st.integers(0, 2**32 - 1).map(IPv4Address))
def test_an_ipv4_address_that_passes_is_global(address: IPv4Address) -> None:
    if may_be_asked(str(address), []):
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_reserved


@pytest.mark.parametrize("address", METADATA)
def test_an_address_of_credentials_is_refused_whatever_the_operator_allows(address: str) -> None:
    assert not may_be_asked(address, ANY_NETWORK)
    if ip_address(address).version == 4:
        for wrapping in WRAPPINGS[:7]:
            assert not may_be_asked(str(wrapped(IPv4Address(address), wrapping)), ANY_NETWORK)


def test_a_network_that_the_operator_allows_may_be_asked_and_its_neighbours_not() -> None:
    allowed = OutgoingSettings(("192.168.10.0/24", "fd12::/16")).networks
    assert may_be_asked("192.168.10.7", allowed)
    assert may_be_asked("fd12::7", allowed)
    assert not may_be_asked("192.168.11.7", allowed)
    assert not may_be_asked("fd13::7", allowed)
    assert not may_be_asked("::ffff:192.168.10.7", allowed)


def test_behind_an_allowed_nat64_the_address_inside_decides() -> None:
    allowed = OutgoingSettings(("64:ff9b::/96",)).networks
    assert may_be_asked("64:ff9b::808:808", allowed)
    assert not may_be_asked("64:ff9b::a9fe:a9fe", allowed)
    assert not may_be_asked("64:ff9b::7f00:1", allowed)


def test_a_network_that_cannot_be_read_stops_the_start() -> None:
    with pytest.raises(ValueError, match="OUTGOING_ALLOW has 'home'"):
        OutgoingSettings(("10.0.0.0/8", "home")).validate()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/", "//example.com", "example.com", "https:example.com", "https://", "https:///path",
        "https://user@example.com/", "https://user:pass@example.com/", "https://example.com@127.0.0.1/",
        "https://2130706433/", "https://0x7f.1/", "https://0x7f000001/", "https://0177.0.0.1/", "https://127.1/",
        "https://127.0.0.1./", "https://127.0.0.1.0x/", "https://1.2.3.256/", "https://1.2.3.4.5/",
        "https://01.2.3.4/",
        "https://[fe80::1%25eth0]/", "https://[::1/", "https://[v1.x]/", "https://exa mple.com/",
        "https://example.com\\@a/",
        "https://example.com/\r\nx: y", "https://ex\tample.com/", "https://ⓔxample.com/", "https://\uff11\uff12\uff17.0.0.1/",
        "https://%31%32%37.0.0.1/", "https://example.com#@evil.com/", "https://example.com/#part", "https://a..b/",
        "https://-a.com/", "https://example.com:22/", "https://example.com:0/", "https://example.com:70000/",
        "https://example.com:x/", "https://example.com:443:80/", "https://" + "a" * 64 + ".com/",
        "https://a.com/" + "x" * 2048,
    ],
)  # fmt: skip
def test_a_url_that_can_be_read_in_two_ways_is_refused(url: str) -> None:
    with pytest.raises(OutgoingFailed, match="This URL cannot be used"):
        read_target(url)


def test_a_plain_url_is_taken_apart() -> None:
    target = read_target("HTTPS://Hooks.Example.com:8443/in?a=b%20c")
    assert (target.scheme, target.host, target.port) == ("https", "hooks.example.com", 8443)
    assert (target.path, target.authority) == ("/in?a=b%20c", "hooks.example.com:8443")
    assert read_target("https://[2606:4700::1111]").authority == "[2606:4700::1111]"
    assert read_target("https://example.com").path == "/"
    assert read_target("https://example.com?x=1").path == "/?x=1"


@given(st.text(max_size=60).map(lambda text: f"https://{text}") | st.text(max_size=60))
def test_any_text_is_a_target_or_a_refusal(url: str) -> None:
    try:
        target = read_target(url)
    except OutgoingFailed:
        return
    assert target.host
    assert target.host.isascii()
    assert target.path.startswith("/")
