"""The clock ends sessions, links, pauses between guesses, and entries of the audit log."""

import pytest
from argon2 import PasswordHasher, extract_parameters

from stowboard.access.accounts.passwords import Passwords
from stowboard.access.base import account_store, session_store, tickets
from stowboard.access.base.account import Account, NewAccount
from stowboard.access.base.account_store import insert
from stowboard.access.base.errors import InvalidLogin, InvalidTicket
from stowboard.access.base.session import ABSOLUTE_MS, IDLE_MS, STEP_UP_MS, Device, PersonSession
from stowboard.access.base.tickets import LIFETIME_MS, NewTicket, TicketPurpose
from stowboard.access.sessions import attempts, sign_in
from stowboard.access.settings import AccessSettings
from stowboard.core import clock
from stowboard.core.errors import RateLimited
from stowboard.core.ids import new_id, time_of
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import OPERATOR, AuditFilter
from stowboard.tasks.base.owners import is_owner

KEY = DigestKey(b"k" * 32)
DEVICE = Device("127.0.0.1", "tests")
DAY_MS = 24 * 3600 * 1000
MINUTE_MS = 60_000


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time_of(new_id("now"))  # what ids are at: another test may have been in the future
        monkeypatch.setattr(clock, "now_ms", lambda: self.now)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
async def account(database: Database) -> Account:
    return await database.transact(insert, NewAccount("alice"))


async def test_a_session_ends_unused_after_thirty_days(database: Database, account: Account, time: Clock) -> None:
    _, secret = await database.transact(session_store.begin, KEY, account, DEVICE, "password")
    time.now += IDLE_MS - 1
    assert await database.read(session_store.find, KEY, secret) is not None
    time.now += 1
    assert await database.read(session_store.find, KEY, secret) is None
    assert await database.read(session_store.list_of, account.id) == []


async def test_a_session_ends_after_ninety_days_however_it_is_used(
    database: Database, account: Account, time: Clock
) -> None:
    session, secret = await database.transact(session_store.begin, KEY, account, DEVICE, "password")
    for _ in range(ABSOLUTE_MS // (29 * DAY_MS)):
        time.now += 29 * DAY_MS
        assert await database.read(session_store.find, KEY, secret) is not None
        await database.transact(session_store.touch, KEY, session, secret)
    time.now += 29 * DAY_MS
    assert await database.read(session_store.find, KEY, secret) is None
    time.now += 8 * DAY_MS
    assert await database.transact(session_store.forget_sessions, 500) == 1


async def test_a_fresh_proof_holds_for_ten_minutes(database: Database, account: Account, time: Clock) -> None:
    session, _ = await database.transact(session_store.begin, KEY, account, DEVICE, "password")
    assert session.is_stepped_up
    time.now += STEP_UP_MS
    assert not session.is_stepped_up
    secret = await database.transact(session_store.step_up, KEY, session)
    found = await database.read(session_store.find, KEY, secret)
    assert found is not None
    assert found.session.is_stepped_up


@pytest.mark.parametrize("purpose", list(TicketPurpose))
async def test_a_link_ends(database: Database, time: Clock, purpose: TicketPurpose) -> None:
    _, secret = await database.transact(tickets.issue, KEY, NewTicket(purpose, "admin"))
    time.now += LIFETIME_MS[purpose] - 1
    assert (await database.read(tickets.get_open, KEY, secret)).purpose == purpose
    time.now += 1
    with pytest.raises(InvalidTicket):
        await database.read(tickets.get_open, KEY, secret)
    with pytest.raises(InvalidTicket):
        await database.transact(tickets.spend, KEY, secret)
    time.now += 8 * DAY_MS
    assert await database.transact(tickets.forget_tickets, 500) == 1


async def test_a_password_that_was_checked_before_another_one_was_chosen_signs_nobody_in(
    database: Database, account: Account
) -> None:
    """Checking takes a tenth of a second. The change has ended all sessions: none begins after it by the old one."""
    await database.transact(account_store.set_password, account.id, "the new one")
    with pytest.raises(InvalidLogin):
        await database.transact(sign_in.begin_by_password, KEY, account, "the old one", DEVICE, b"guesses", None)
    session, _ = await database.transact(session_store.begin, KEY, account, DEVICE, "password")
    signed_in = PersonSession(session, account)
    with pytest.raises(InvalidLogin):
        await database.transact(sign_in.step_up_by_password, KEY, signed_in, "the old one", None, "192.0.2.1", b"")
    await database.transact(account_store.renew_password_hash, account.id, "the old one", "the old one, hashed again")
    assert await database.read(account_store.is_password_hash, account.id, "the new one")
    begun = await database.transact(sign_in.begin_by_password, KEY, account, "the new one", DEVICE, b"guesses", None)
    assert isinstance(begun, sign_in.NewSession)


async def test_the_pause_between_guesses_doubles_up_to_a_quarter_of_an_hour(database: Database, time: Clock) -> None:
    settings = AccessSettings(sign_ins_per_minute=100_000)
    name, address = attempts.name_key(KEY, "alice"), attempts.address_key(KEY, "192.0.2.1")

    async def pause() -> int:
        """Seconds that the next attempt has to wait."""
        try:
            await database.transact(attempts.count_attempt, settings, address, name)
        except RateLimited as problem:
            return int(dict(problem.headers)["retry-after"])
        return 0

    assert [await pause() for _ in range(6)] == [0, 0, 0, 0, 0, 60]
    pauses = []
    for _ in range(6):
        time.now += (await pause()) * 1000
        assert await pause() == 0
        pauses.append(await pause())
    assert pauses == [120, 240, 480, 900, 900, 900]
    time.now += attempts.QUIET_MS + 1
    assert [await pause() for _ in range(6)] == [0, 0, 0, 0, 0, 60]
    await database.transact(attempts.forgive, name)
    assert await pause() == 0
    time.now += attempts.QUIET_MS + 1
    assert await database.transact(attempts.forget_attempts, 500) == 2


async def test_an_address_has_so_many_attempts_a_minute(database: Database, time: Clock) -> None:
    settings = AccessSettings()
    address = attempts.address_key(KEY, "192.0.2.1")
    for _ in range(30):
        await database.transact(attempts.count_address, settings, address)
    with pytest.raises(RateLimited):
        await database.transact(attempts.count_address, settings, address)
    time.now += 2000
    await database.transact(attempts.count_address, settings, address)


def test_a_network_of_ipv6_counts_as_one_address() -> None:
    keys = {attempts.address_key(KEY, address) for address in ("2001:db8::1", "2001:db8::2", "2001:db8::ffff:1")}
    assert len(keys) == 1
    assert attempts.address_key(KEY, "2001:db8:0:1::1") not in keys
    assert attempts.address_key(KEY, "192.0.2.1") != attempts.address_key(KEY, "192.0.2.2")
    assert attempts.address_key(KEY, "::ffff:192.0.2.1") == attempts.address_key(KEY, "192.0.2.1")


async def test_audit_entries_are_never_changed_and_go_when_their_time_is_over(database: Database, time: Clock) -> None:
    await database.transact(audit.record, OPERATOR, "account.create", "alice")
    time.now += DAY_MS
    await database.transact(audit.record, OPERATOR, "account.create", "bob")

    async def tamper(tx: Tx) -> None:
        await tx.run("UPDATE audit SET actor = 'nobody'")

    with pytest.raises(Exception, match="never changed"):
        await database.transact(tamper)
    assert await database.transact(audit.forget_entries, time.now, 500) == 1
    left = await database.read(audit.list_entries, AuditFilter(), None, 10)
    assert [(entry.subject, entry.actor) for entry in left.items] == [("bob", "command line")]


async def test_passwords_are_kept_as_others_read_them() -> None:
    kept = await Passwords().keep("correct horse battery staple")
    assert PasswordHasher().verify(kept, "correct horse battery staple")
    assert (extract_parameters(kept).memory_cost, extract_parameters(kept).time_cost) >= (46 * 1024, 2)
    theirs = PasswordHasher(memory_cost=1024, time_cost=1, parallelism=1).hash("correct horse battery staple")
    assert await Passwords().is_right("correct horse battery staple", theirs)
    assert not await Passwords().is_right("correct horse battery stapler", theirs)
    assert not await Passwords().is_right("correct horse battery staple", None)


async def test_an_owner_is_found_in_whatever_spelling(database: Database) -> None:
    async def add(tx: Tx, owner: str) -> None:
        columns = "id, owner, name, description, created_at, updated_at, version"
        await tx.run(f"INSERT INTO board ({columns}) VALUES ($1, $2, '', '', 0, 0, 1)", f"brd_{owner}", owner)

    for owner in ("Zoe", "alice", "Bob", "éva"):
        await database.transact(add, owner)
    for name, owns in {"zoe": True, "alice": True, "bob": True, "eva": False, "al": False, "carol": False}.items():
        assert await database.read(is_owner, name) is owns
