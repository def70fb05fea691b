"""The keys that turn tokens into what is stored of them are rotated, and what is in use lives on."""

import pytest

from stowboard.access import tokens
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base import session_store, tickets
from stowboard.access.base.account import Account, NewAccount
from stowboard.access.base.account_store import insert
from stowboard.access.base.session import Device
from stowboard.access.base.tickets import NewTicket, TicketPurpose
from stowboard.access.oauth import clients
from stowboard.access.scopes import SCOPES
from stowboard.access.signing_keys import (
    KeySettings,
    ensure_keys,
    load_digest_key,
    load_digest_keys,
    rotate_digest_key,
)
from stowboard.access.tokens import NewToken
from stowboard.core import clock
from stowboard.core.errors import InvalidToken
from stowboard.core.signing import IN_USE_MS, SETTLING_MS, DigestKey
from stowboard.db.database import Database
from support.clients.exchanges import get_with_bearer

IN_DATABASE = KeySettings()
DEVICE = Device("127.0.0.1", "tests")


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = clock.now_ms()
        monkeypatch.setattr(clock, "now_ms", lambda: self.now)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
async def key(database: Database) -> DigestKey:
    await database.transact(ensure_keys)
    return await database.read(load_digest_key, IN_DATABASE)


@pytest.fixture
async def account(database: Database) -> Account:
    return await database.transact(insert, NewAccount("alice"))


async def rotate(database: Database, key: DigestKey, time: Clock) -> None:
    """And let every process use it."""
    time.now += 1
    await database.transact(rotate_digest_key)
    key.renew(await database.read(load_digest_keys, IN_DATABASE))
    time.now += IN_USE_MS


async def test_a_token_in_use_outlives_every_rotation_and_one_out_of_use_only_the_first(
    database: Database, key: DigestKey, time: Clock
) -> None:
    used, unused = tokens.make_secret(), tokens.make_secret()
    for secret in (used, unused):
        await database.transact(tokens.create_token, key, NewToken("alice", ["tasks:read"]), secret)
    authenticator = TokenAuthenticator(database, key, SCOPES)
    for _ in range(3):
        await rotate(database, key, time)
        authenticator.forget()
        assert (await authenticator.check(get_with_bearer(used))).owner == "alice"
        await authenticator.write_uses()
    with pytest.raises(InvalidToken):
        await authenticator.check(get_with_bearer(unused))


async def test_a_new_key_makes_digests_only_when_every_process_knows_it(
    database: Database, key: DigestKey, time: Clock
) -> None:
    before = key.digest("secret")
    time.now += 1
    await database.transact(rotate_digest_key)
    other_process = await database.read(load_digest_key, IN_DATABASE)
    assert other_process.digest("secret") == before
    time.now += SETTLING_MS
    assert other_process.digest("secret") != before
    assert before in other_process.digests("secret")
    assert bytes(other_process) == bytes(key)  # what is kept for a day rests on the first one


async def test_sessions_links_and_clients_outlive_a_rotation(
    database: Database, key: DigestKey, account: Account, time: Clock
) -> None:
    session, cookie = await database.transact(session_store.begin, key, account, DEVICE, "password")
    _, link = await database.transact(tickets.issue, key, NewTicket(TicketPurpose.INVITE, "admin"))
    client = await database.transact(clients.register, key, NewToken("alice", ["tasks:read"]), "stowc_secret")
    await rotate(database, key, time)
    assert (await database.read(tickets.get_open, key, link)).purpose == TicketPurpose.INVITE
    assert await database.read(clients.find_authenticated, key, client.client_id, "stowc_secret") is not None
    assert await database.read(clients.find_authenticated, key, client.client_id, "stowc_other") is None
    assert await database.read(session_store.find, key, cookie) is not None
    await database.transact(session_store.touch, key, session, cookie)
    await database.transact(clients.keep_digest, client.client_id, key.digest("stowc_secret"))
    await rotate(database, key, time)
    assert await database.read(session_store.find, key, cookie) is not None
    assert await database.read(clients.find_authenticated, key, client.client_id, "stowc_secret") is not None


def test_keys_of_the_environment_are_rotated_by_putting_one_in_front() -> None:
    KeySettings(digest_keys=("n" * 32, "o" * 32)).validate()
    with pytest.raises(ValueError, match="at most 2"):
        KeySettings(digest_keys=("a" * 32, "b" * 32, "c" * 32)).validate()


async def test_of_two_keys_of_the_environment_the_first_makes_digests(database: Database, key: DigestKey) -> None:
    old = await database.read(load_digest_key, KeySettings(digest_keys=("o" * 32,)))
    both = await database.read(load_digest_key, KeySettings(digest_keys=("n" * 32, "o" * 32)))
    assert old.digest("secret") in both.digests("secret")
    assert both.digest("secret") not in old.digests("secret")
