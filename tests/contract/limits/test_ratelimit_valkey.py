"""Dangers of the limiter on Valkey alone: a server that dies, freezes, crawls, forgets or refuses."""

import asyncio
import datetime
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from stowboard.api.limits import valkey as valkey_limits
from stowboard.api.limits.rule import Decision, Limiter, RateLimitRule, RateLimitSettings
from stowboard.api.limits.shared_memory import SharedLimiter
from stowboard.api.limits.valkey import ANSWER_SECONDS, KEY_PREFIX, SpreadLimiter, ValkeyLimiter
from stowboard.api.limits.valkey_address import ValkeyAddress
from stowboard.core.ids import new_id
from support.servers.fault_proxy import Delay, FaultProxy, Pass
from support.servers.valkey import ValkeyServer
from support.waiting import PATIENCE_SECONDS, until

SETTINGS = RateLimitSettings()
OpenLimiter = Callable[[str], Awaitable[ValkeyLimiter]]


@pytest.fixture
def server() -> Iterator[ValkeyServer]:
    """One that the test may hurt."""
    own = ValkeyServer(password="s3cret/word")
    own.start()
    yield own
    own.kill()


@pytest.fixture
async def open_limiter(tmp_path: Path) -> AsyncIterator[OpenLimiter]:
    async with _limiters(SETTINGS, tmp_path) as opened:
        yield opened


@pytest.fixture
async def open_still_limiter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OpenLimiter]:
    """Its buckets fill by one in a minute, and no answer is late: what remains is what was not taken."""
    for name in ("ANSWER_SECONDS", "CONNECT_SECONDS"):
        monkeypatch.setattr(valkey_limits, name, PATIENCE_SECONDS)
    async with _limiters(RateLimitSettings(rate_per_minute=1), tmp_path) as opened:
        yield opened


async def take(limiter: Limiter, token: str) -> Decision:
    decision = limiter.take(token)
    return decision if isinstance(decision, Decision) else await decision


@dataclass
class Crowd:
    """Clients that use one token without pause; any exception in one fails the test."""

    limiter: ValkeyLimiter
    token: str
    admitted: int = 0

    @asynccontextmanager
    async def busy(self) -> AsyncIterator[None]:
        self._started = time.monotonic()
        async with asyncio.TaskGroup() as group:
            clients = [group.create_task(self._client()) for _ in range(5)]
            yield
            for client in clients:
                client.cancel()

    def within(self, buckets: int) -> bool:
        """True if no more passed than so many full buckets and two refills, the server's and the host's."""
        grown = SETTINGS.rate_per_minute / 60 * (time.monotonic() - self._started)
        return SETTINGS.burst <= self.admitted <= buckets * SETTINGS.burst + 2 * grown

    async def _client(self) -> None:
        while True:
            decision = await take(self.limiter, self.token)
            self.admitted += decision.allowed
            await asyncio.sleep(0.001)


async def test_a_killed_server_is_done_without_and_used_again_when_it_is_back(
    server: ValkeyServer, open_limiter: OpenLimiter
) -> None:
    limiter = await open_limiter(server.url)
    crowd = Crowd(limiter, new_id("tok"))
    async with crowd.busy():
        await until(lambda: crowd.admitted >= 100)
        server.kill()
        await until(lambda: not limiter.shared)
        await until(lambda: crowd.admitted >= 200)
        server.start()
        await until(lambda: limiter.shared)
        await until(lambda: crowd.admitted >= 300)
    assert crowd.within(buckets=3)  # the server came back without its keys


async def test_a_frozen_server_is_done_without_and_used_again_when_it_is_back(
    server: ValkeyServer, open_limiter: OpenLimiter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    limiter = await open_limiter(server.url)
    crowd = Crowd(limiter, new_id("tok"))
    async with crowd.busy():
        await until(lambda: crowd.admitted >= 100)
        server.pause()
        await until(lambda: not limiter.shared)
        await until(lambda: crowd.admitted >= 200)
        await asyncio.sleep(1.5)  # long enough for a try to connect, which the kernel accepts
        assert not limiter.shared
        server.resume()
        await until(lambda: limiter.shared)
    assert crowd.within(buckets=2)
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


async def test_a_slow_server_is_done_without_until_it_is_quick_again(
    valkey: ValkeyServer, open_limiter: OpenLimiter
) -> None:
    with FaultProxy("127.0.0.1", valkey.port) as proxy:
        limiter = await open_limiter(f"redis://127.0.0.1:{proxy.port}")
        crowd = Crowd(limiter, new_id("tok"))
        async with crowd.busy():
            await until(lambda: crowd.admitted >= 100)
            proxy.fault = Delay(2 * ANSWER_SECONDS)
            await until(lambda: not limiter.shared)
            await until(lambda: crowd.admitted >= 200)
            await asyncio.sleep(1.5)
            assert not limiter.shared
            proxy.fault = Pass()
            await until(lambda: limiter.shared)
        assert crowd.within(buckets=2)


async def test_one_late_answer_is_decided_here_and_does_not_end_the_sharing(
    server: ValkeyServer, open_limiter: OpenLimiter
) -> None:
    limiter, token = await open_limiter(server.url), new_id("tok")
    await until(lambda: limiter.shared)
    server.pause()
    decisions = await asyncio.gather(*[take(limiter, token) for _ in range(20)])
    server.resume()
    assert {decision.remaining for decision in decisions} == set(range(80, 100))
    assert limiter.shared
    await asyncio.sleep(2 * ANSWER_SECONDS)  # the answers that nobody waits for any more
    assert (await take(limiter, new_id("tok"))).remaining == 99


async def test_a_server_that_takes_no_writes_is_done_without(
    server: ValkeyServer, open_limiter: OpenLimiter, caplog: pytest.LogCaptureFixture
) -> None:
    limiter = await open_limiter(server.url)
    server.command("REPLICAOF", "127.0.0.1", "1")
    for _ in range(5):
        assert (await take(limiter, new_id("tok"))).remaining == 99
    await until(lambda: not limiter.shared)
    await asyncio.sleep(1.5)
    assert not limiter.shared
    assert len(caplog.records) == 1
    server.command("REPLICAOF", "NO", "ONE")
    await until(lambda: limiter.shared)


async def test_a_server_that_forgot_the_script_is_told_it_again(
    valkey: ValkeyServer, open_still_limiter: OpenLimiter
) -> None:
    limiter, token = await open_still_limiter(valkey.url), new_id("tok")
    assert (await take(limiter, token)).remaining == 99
    valkey.command("SCRIPT", "FLUSH")
    assert (await take(limiter, token)).remaining == 98
    assert limiter.shared


async def test_a_request_that_is_given_up_does_not_shift_the_answers_of_others(
    valkey: ValkeyServer, open_still_limiter: OpenLimiter
) -> None:
    limiter = await open_still_limiter(valkey.url)
    tokens = [new_id("tok") for _ in range(20)]
    for used, token in enumerate(tokens):
        for _ in range(used):
            await take(limiter, token)
    asked = [asyncio.create_task(take(limiter, token)) for token in tokens]
    await asyncio.sleep(0)
    for task in asked[::2]:
        task.cancel()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    remaining = [answer.remaining for answer in answers if isinstance(answer, Decision)]
    assert remaining == [99 - used for used in range(1, 20, 2)]


async def test_a_clock_set_back_on_the_server_costs_one_retry(valkey: ValkeyServer, open_limiter: OpenLimiter) -> None:
    limiter, token = await open_limiter(valkey.url), new_id("tok")
    an_hour_ahead = (time.time_ns() // 1000) + 3_600_000_000
    valkey.command("SET", KEY_PREFIX + token, str(an_hour_ahead))
    refused = await take(limiter, token)
    assert (refused.allowed, refused.retry_after) == (False, 1)
    await asyncio.sleep(1)
    assert (await take(limiter, token)).allowed


async def test_a_key_lives_no_longer_than_its_debt(valkey: ValkeyServer, open_limiter: OpenLimiter) -> None:
    limiter, token = await open_limiter(valkey.url), new_id("tok")
    await take(limiter, token)
    left = int(valkey.command("PTTL", KEY_PREFIX + token).strip(":\r\n"))
    assert left <= 101
    await until(lambda: valkey.command("EXISTS", KEY_PREFIX + token) == ":0\r\n")


async def test_the_password_and_the_database_of_the_url_are_used(
    server: ValkeyServer, open_limiter: OpenLimiter
) -> None:
    limiter, token = await open_limiter(f"valkey://:s3cret%2Fword@127.0.0.1:{server.port}/3"), new_id("tok")
    await until(lambda: limiter.shared)
    assert (await take(limiter, token)).allowed
    assert "db3:" in server.command("INFO", "keyspace")


async def test_a_wrong_password_is_reported_without_being_shown(
    server: ValkeyServer, open_limiter: OpenLimiter, caplog: pytest.LogCaptureFixture
) -> None:
    limiter = await open_limiter(f"redis://:not-the-word@127.0.0.1:{server.port}")
    assert not limiter.shared
    assert (await take(limiter, new_id("tok"))).allowed
    assert "invalid username-password pair" in str(vars(caplog.records[0]))
    assert "not-the-word" not in str(vars(caplog.records[0]))


async def test_tls_is_used_and_the_certificate_is_checked(
    valkey: ValkeyServer, open_limiter: OpenLimiter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = _certified_for("localhost", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    async with _tls_in_front_of(valkey, context) as port:
        trusted = await open_limiter(f"rediss://localhost:{port}")
        mistaken = await open_limiter(f"rediss://127.0.0.1:{port}")
        await until(lambda: trusted.shared)
        assert not mistaken.shared


@pytest.mark.parametrize("url", ["http://host", "redis://", "redis://host:x", "redis://host/x", "redis://:pa:ss@h:1:2"])
def test_an_address_that_cannot_be_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(ValueError, match="expected redis://") as refusal:
        ValkeyAddress.parse(url)
    assert "pa:ss" not in str(refusal.value)


async def test_several_servers_share_the_tokens_and_one_that_is_away_takes_only_its_own_with_it(
    server: ValkeyServer, valkey: ValkeyServer, tmp_path: Path
) -> None:
    local = SharedLimiter(RateLimitRule(RateLimitSettings(rate_per_minute=1)), "test", tmp_path)
    addresses = [ValkeyAddress.parse(server.url), ValkeyAddress.parse(valkey.url)]
    hosts = [SpreadLimiter(addresses, local), SpreadLimiter(addresses[::-1], local)]
    for host in hosts:
        await host.open()
    tokens = [new_id("tok") for _ in range(40)]
    left = [[(await take(host, token)).remaining for token in tokens] for host in hosts]
    assert left == [[99] * 40, [98] * 40], "every host asks the same server for a token"
    theirs = {str(limiter._address): limiter for limiter in hosts[0]._limiters.values()}
    first, second = (theirs[str(address)] for address in addresses)
    of_first = {token for token in tokens if hosts[0]._limiter_of(token) is first}
    assert 5 < len(of_first) < 35
    server.kill()
    await until(lambda: not first.shared)
    assert second.shared
    left_now = {token: (await take(hosts[0], token)).remaining for token in tokens}
    assert left_now == {token: 99 if token in of_first else 97 for token in tokens}
    for host in hosts:
        await host.close()
    local.close()


def test_a_url_may_name_several_servers() -> None:
    addresses = ValkeyAddress.parse_all("rediss://me:secret@a,b:7000,[::1]:7001/2")
    assert [str(address) for address in addresses] == ["a:6379/2", "b:7000/2", "::1:7001/2"]
    assert {(each.username, each.password, each.tls) for each in addresses} == {("me", "secret", True)}
    with pytest.raises(ValueError, match="expected redis://"):
        ValkeyAddress.parse_all("redis://a,,b")


@asynccontextmanager
async def _limiters(settings: RateLimitSettings, folder: Path) -> AsyncIterator[OpenLimiter]:
    local = SharedLimiter(RateLimitRule(settings), "test", folder)
    async with AsyncExitStack() as closing:
        closing.callback(local.close)

        async def opened(url: str) -> ValkeyLimiter:
            limiter = ValkeyLimiter(ValkeyAddress.parse(url), local)
            await limiter.open()
            closing.push_async_callback(limiter.close)
            return limiter

        yield opened


@asynccontextmanager
async def _tls_in_front_of(server: ValkeyServer, context: ssl.SSLContext) -> AsyncIterator[int]:
    """The port where the server can be reached through TLS."""
    writers: list[asyncio.StreamWriter] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", server.port)
        writers.extend((writer, far_writer))
        await asyncio.gather(_forward(reader, far_writer), _forward(far_reader, writer))

    listener = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        listener.close()
        for writer in writers:
            writer.close()


async def _forward(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        target.write(data)
    target.close()


def _certified_for(name: str, folder: Path) -> ssl.SSLContext:
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context
