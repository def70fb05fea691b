"""The clock ends what applications hold; no order of events leaves a live token of a grant that has ended."""

import asyncio
import itertools
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from stowboard.access.base import account_store, grant_store, session_store
from stowboard.access.base.account import Account, NewAccount
from stowboard.access.base.session import Device, PersonSession
from stowboard.access.oauth import authorize_routes
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.application import STOW, ApplicationOrigin, OAuthApplication
from stowboard.access.oauth.grants import consent_store, device
from stowboard.access.oauth.grants.code_store import LIFETIME_MS, forget_codes
from stowboard.access.oauth.grants.device import DeviceRequest
from stowboard.access.oauth.grants.device_store import forget_devices
from stowboard.access.oauth.grants.give import GrantedTokens, OAuthRefusal
from stowboard.access.oauth.grants.introspect import introspect, revoke
from stowboard.access.oauth.grants.redeem_code import GRACE_MS, PresentedCode, challenge_of, redeem, refresh
from stowboard.access.oauth.grants.refresh_store import IDLE_MS, forget_refresh_tokens
from stowboard.access.oauth.request import AuthorizationRequest, RequestingApplication
from stowboard.access.scopes import SCOPES
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.ports import TaskOwners

KEY = DigestKey(b"k" * 32)
BROWSER = Device("127.0.0.1", "tests")
VERIFIER = "v" * 43
APP = OAuthApplication(
    ClientId("app_planner"), ApplicationOrigin.ADMIN, "Planner", ["https://p.example/cb"], True, "admin", 0
)
DAY_MS = 24 * 3600 * 1000
T = TypeVar("T")


OWNERS = TaskOwners()


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = clock.now_ms()
        monkeypatch.setattr(clock, "now_ms", lambda: self.now)


class Scene:
    """One person with a browser, and one application, in a database."""

    def __init__(self, db: Database, account: Account) -> None:
        self.db, self.account = db, account

    @classmethod
    async def set(cls, db: Database) -> "Scene":
        account = await db.transact(account_store.insert, NewAccount(f"alice{secrets.token_hex(4)}"))
        await db.transact(application_store.insert, APP)
        return cls(db, account)

    async def session(self) -> PersonSession:
        session, _ = await self.db.transact(session_store.begin, KEY, self.account, BROWSER, "password")
        return PersonSession(session, self.account)

    async def code(self, signed_in: PersonSession) -> str:
        asker = RequestingApplication(APP, "https://p.example/cb", None, "https://stow.example")
        wanted = AuthorizationRequest(asker, challenge_of(VERIFIER), ["tasks:read", "media:read"], "/api/v1")
        return await self.db.transact(
            authorize_routes.allow, OWNERS, KEY, wanted, signed_in.session.id, False, [], "127.0.0.1"
        )

    async def trade(self, code: str) -> GrantedTokens | OAuthRefusal:
        brought = PresentedCode(APP.client_id, code, VERIFIER, None, None, "127.0.0.1")
        return await self.db.transact(redeem, OWNERS, KEY, brought)

    async def begin(self) -> GrantedTokens:
        given = await self.trade(await self.code(await self.session()))
        assert isinstance(given, GrantedTokens)
        return given

    async def refresh(
        self, token: str, asked: list[str] | None = None, door: str | None = None
    ) -> GrantedTokens | OAuthRefusal:
        return await self.db.transact(
            refresh, OWNERS, KEY, SCOPES, token, APP.client_id, "Planner", asked, door, "127.0.0.1"
        )

    async def revoke(self, token: str) -> None:
        await self.db.transact(revoke, OWNERS, KEY.digests(token), APP.client_id, "127.0.0.1")

    async def is_live(self, token: str) -> bool:
        return await self.db.read(introspect, SCOPES, KEY.digests(token), APP.client_id) is not None


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
async def scene(database: Database) -> Scene:
    return await Scene.set(database)


def error_of(outcome: GrantedTokens | OAuthRefusal) -> str:
    assert isinstance(outcome, OAuthRefusal)
    return outcome.error


def given(outcome: GrantedTokens | OAuthRefusal) -> GrantedTokens:
    assert isinstance(outcome, GrantedTokens), outcome
    return outcome


async def test_a_code_is_good_for_a_minute(scene: Scene, time: Clock) -> None:
    signed_in = await scene.session()
    early, late = await scene.code(signed_in), await scene.code(signed_in)
    time.now += LIFETIME_MS - 1
    given(await scene.trade(early))
    time.now += 1
    assert error_of(await scene.trade(late)) == "invalid_grant"
    time.now += 2 * DAY_MS
    assert await scene.db.transact(forget_codes, 500) == 2


async def test_a_refresh_token_gives_others_and_for_a_minute_again(scene: Scene, time: Clock) -> None:
    first = await scene.begin()
    second = given(await scene.refresh(first.refresh))
    time.now += GRACE_MS
    sibling = given(await scene.refresh(first.refresh))
    assert len({first.refresh, second.refresh, sibling.refresh}) == 3
    for each in (first, second, sibling):
        assert await scene.is_live(each.access)
    goes_on = given(await scene.refresh(second.refresh))
    assert not await scene.is_live(sibling.access)
    assert error_of(await scene.refresh(sibling.refresh)) == "invalid_grant"
    assert await scene.is_live(goes_on.access)
    time.now += GRACE_MS + 1
    assert error_of(await scene.refresh(sibling.refresh)) == "invalid_grant"  # it was somebody else's
    assert not await scene.is_live(goes_on.access)


async def test_a_refresh_token_that_comes_back_later_ends_the_grant(scene: Scene, time: Clock) -> None:
    first = await scene.begin()
    second = given(await scene.refresh(first.refresh))
    other = await scene.begin()
    time.now += GRACE_MS + 1
    assert error_of(await scene.refresh(first.refresh)) == "invalid_grant"
    for token in (first.access, second.access, second.refresh):
        assert not await scene.is_live(token)
    assert error_of(await scene.refresh(second.refresh)) == "invalid_grant"
    assert await scene.is_live(other.access)  # another sign-in is another family
    rows = await scene.db.read(_audit, "grant.reuse")
    assert len(rows) == 1


async def test_a_grant_ends_unused_after_thirty_days_and_in_any_case_after_half_a_year(
    scene: Scene, time: Clock
) -> None:
    unused, used = await scene.begin(), await scene.begin()
    began = time.now
    while time.now + IDLE_MS - 1 < began + grant_store.ABSOLUTE_MS:
        time.now += IDLE_MS - 1
        used = given(await scene.refresh(used.refresh))
    assert error_of(await scene.refresh(unused.refresh)) == "invalid_grant"
    time.now = began + grant_store.ABSOLUTE_MS
    assert error_of(await scene.refresh(used.refresh)) == "invalid_grant"
    time.now += 31 * DAY_MS
    assert await scene.db.transact(forget_refresh_tokens, 500) == 8
    assert await scene.db.transact(grant_store.forget_grants, 500) == 2


async def test_a_refresh_narrows_and_never_widens(scene: Scene) -> None:
    tokens_ = await scene.begin()
    assert error_of(await scene.refresh(tokens_.refresh, ["tasks:write"])) == "invalid_scope"
    assert error_of(await scene.refresh(tokens_.refresh, door="/mcp")) == "invalid_target"
    narrow = given(await scene.refresh(tokens_.refresh, ["tasks:read"], "/api/v1"))
    assert narrow.scopes == ["tasks:read"]
    assert given(await scene.refresh(narrow.refresh)).scopes == ["tasks:read", "media:read"]


async def test_nobody_who_is_disabled_has_an_application_that_goes_on(scene: Scene) -> None:
    held = await scene.begin()
    await scene.db.transact(account_store.set_disabled, scene.account.id, 1)
    assert error_of(await scene.refresh(held.refresh)) == "invalid_grant"
    assert not await scene.is_live(held.access)
    await scene.db.transact(account_store.set_disabled, scene.account.id, None)
    given(await scene.refresh(held.refresh))


async def test_two_who_refresh_at_once_both_get_tokens_and_one_family(database: Database, other_node: Database) -> None:
    scene = await Scene.set(database)
    elsewhere = Scene(other_node, scene.account)
    held = await scene.begin()
    both = await asyncio.gather(*(each.refresh(held.refresh) for each in (scene, elsewhere) for _ in range(4)))
    assert all(isinstance(each, GrantedTokens) for each in both)
    await scene.revoke(held.refresh)
    for each in both:
        assert not await scene.is_live(given(each).access)


async def test_a_refresh_and_a_revocation_at_once_leave_nothing_alive(database: Database, other_node: Database) -> None:
    scene = await Scene.set(database)
    elsewhere = Scene(other_node, scene.account)
    for _ in range(20):
        held = await scene.begin()
        outcome, _ = await asyncio.gather(elsewhere.refresh(held.refresh), scene.revoke(held.refresh))
        assert not await scene.is_live(held.access)
        if isinstance(outcome, GrantedTokens):
            assert not await scene.is_live(outcome.access)


async def test_one_code_at_two_nodes_gives_tokens_once_and_these_end(database: Database, other_node: Database) -> None:
    scene = await Scene.set(database)
    elsewhere = Scene(other_node, scene.account)
    code = await scene.code(await scene.session())
    outcomes = await asyncio.gather(scene.trade(code), elsewhere.trade(code))
    (held,) = [each for each in outcomes if isinstance(each, GrantedTokens)]
    assert not await scene.is_live(held.access)


# Devices


async def waiting(scene: Scene) -> device.DeviceCodes:
    return await scene.db.transact(
        device.begin, KEY, APP, DeviceRequest(["tasks:read"], "/api/v1", "192.0.2.7", "tests")
    )


async def poll(scene: Scene, begun: device.DeviceCodes, client_id: str = APP.client_id) -> GrantedTokens | OAuthRefusal:
    return await scene.db.transact(device.poll, KEY, begun.device_code, client_id, "192.0.2.7")


async def test_a_device_waits_is_told_to_be_slower_and_is_let_in_once(scene: Scene, time: Clock) -> None:
    begun, signed_in = await waiting(scene), await scene.session()
    assert error_of(await poll(scene, begun)) == "authorization_pending"
    assert error_of(await poll(scene, begun)) == "slow_down"
    time.now += 5_000
    assert error_of(await poll(scene, begun)) == "slow_down"
    time.now += 15_000
    assert error_of(await poll(scene, begun)) == "authorization_pending"
    typed = begun.user_code.lower().replace("-", " ")
    await scene.db.transact(device.decide, OWNERS, KEY, signed_in, typed, True, [], "127.0.0.1")
    time.now += 15_000
    assert error_of(await poll(scene, begun, STOW.client_id)) == "invalid_grant"
    assert given(await poll(scene, begun)).scopes == ["tasks:read"]
    assert error_of(await poll(scene, begun)) == "invalid_grant"


async def test_a_device_is_refused_expires_and_is_taken_back(scene: Scene, time: Clock) -> None:
    denied, over, left = await waiting(scene), await waiting(scene), await waiting(scene)
    signed_in = await scene.session()
    await scene.db.transact(device.decide, OWNERS, KEY, signed_in, denied.user_code, False, [], "127.0.0.1")
    assert error_of(await poll(scene, denied)) == "access_denied"
    await scene.db.transact(device.decide, OWNERS, KEY, signed_in, left.user_code, True, [], "127.0.0.1")
    await scene.db.transact(session_store.end, scene.account.id, signed_in.session.id)
    assert error_of(await poll(scene, left)) == "access_denied"
    time.now += device.LIFETIME_SECONDS * 1000
    assert error_of(await poll(scene, over)) == "expired_token"
    time.now += 2 * DAY_MS
    assert await scene.db.transact(forget_devices, 500) == 3


async def test_applications_that_came_by_themselves_go_when_unused(scene: Scene, time: Clock) -> None:
    def came(name: str, used_at: int | None) -> OAuthApplication:
        uris = ["https://p.example/cb"]
        return OAuthApplication(
            ClientId(name), ApplicationOrigin.ITSELF, name, uris, False, "a", time.now, None, used_at
        )

    await scene.db.transact(application_store.insert, came("app_unused", None))
    await scene.db.transact(application_store.insert, came("app_used", time.now))
    time.now += application_store.UNUSED_MS + 1
    assert await scene.db.transact(application_store.forget_unused, 500) == 1
    assert await scene.db.read(application_store.find, "app_used") is not None
    time.now += application_store.IDLE_MS
    assert await scene.db.transact(application_store.forget_unused, 500) == 1
    assert await scene.db.read(application_store.find, APP.client_id) is not None


# Every order of events


class Families(RuleBasedStateMachine):
    """Refresh, use again, revoke, sign out, take back, in any order, while time passes."""

    held = Bundle("held")
    codes = Bundle("codes")

    def __init__(self, url: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.time = Clock(monkeypatch)
        self.db = self.run(open_database(DatabaseSettings(url())))
        self.run(migrate(self.db))
        self.scene = self.run(Scene.set(self.db))
        self.signed_in = self.run(self.scene.session())
        #: Tokens by the family that they came of, and the families that are dead.
        self.families: dict[int, list[GrantedTokens]] = {}
        self.dead: set[int] = set()
        self.numbers = itertools.count()
        self.used: dict[str, int] = {}
        self.traded: dict[str, int | None] = {}

    def run(self, work: Awaitable[T]) -> T:
        return self.loop.run_until_complete(work)

    def teardown(self) -> None:
        self.run(self.db.close())
        self.loop.close()

    @rule(target=codes)
    def allow(self) -> str:
        return self.allow_now()

    def allow_now(self) -> str:
        code = self.run(self.scene.code(self.signed_in))
        self.traded[code] = None
        return code

    @initialize(target=held)
    def begin(self) -> Any:
        return self.trade(self.allow_now())

    @rule(target=held)
    def begin_another(self) -> Any:
        return self.trade(self.allow_now())

    @rule(target=held, code=codes)
    def trade_or_trade_again(self, code: str) -> Any:
        return self.trade(code)

    def trade(self, code: str) -> Any:
        outcome = self.run(self.scene.trade(code))
        if isinstance(outcome, GrantedTokens):
            assert self.traded[code] is None
            self.traded[code] = family = next(self.numbers)
            self.families[family] = [outcome]
            return (family, outcome)
        if (family_of_it := self.traded[code]) is not None:
            self.dead.add(family_of_it)
        return multiple()

    @rule(target=held, one=held)
    def refresh_once(self, one: tuple[int, GrantedTokens]) -> Any:
        return self.refresh(one)

    def refresh(self, one: tuple[int, GrantedTokens]) -> Any:
        family, token = one
        outcome = self.run(self.scene.refresh(token.refresh))
        used_at = self.used.get(token.refresh)
        late = used_at is not None and self.time.now - used_at > GRACE_MS
        if family in self.dead or late:
            self.dead.add(family)
            assert error_of(outcome) == "invalid_grant"
            return multiple()
        self.used.setdefault(token.refresh, self.time.now)
        fresh = given(outcome)
        self.families[family].append(fresh)
        return (family, fresh)

    @rule(target=held, one=held)
    def refresh_and_come_back_later(self, one: tuple[int, GrantedTokens]) -> Any:
        """Use the old token after its grace, as a thief does, or the one who was robbed."""
        self.refresh(one)
        self.time.now += GRACE_MS + 1
        return self.refresh(one)

    @rule(one=held)
    def revoke_family(self, one: tuple[int, GrantedTokens]) -> None:
        self.run(self.scene.revoke(one[1].refresh))
        self.dead.add(one[0])

    @rule()
    def sign_out(self) -> None:
        """Codes that are not traded die with it."""
        self.run(self.db.transact(session_store.end, self.scene.account.id, self.signed_in.session.id))
        for code, family in self.traded.items():
            if family is None:
                assert error_of(self.run(self.scene.trade(code))) == "invalid_grant"
        self.signed_in = self.run(self.scene.session())

    @rule()
    def take_back(self) -> None:
        self.run(self.db.transact(_take_back, self.scene.account))
        self.dead |= set(self.families)

    @rule(ms=st.sampled_from([1, GRACE_MS // 2, GRACE_MS + 1]))
    def wait(self, ms: int) -> None:
        self.time.now += ms

    @precondition(lambda self: self.dead)
    @invariant()
    def nothing_of_a_dead_family_lives(self) -> None:
        for family in self.dead:
            for token in self.families[family]:
                assert not self.run(self.scene.is_live(token.access))
                assert not self.run(self.scene.is_live(token.refresh))


def test_no_order_of_events_leaves_a_live_token_of_a_grant_that_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fresh() -> str:
        return f"sqlite:///{tmp_path}/{secrets.token_hex(4)}.db"

    # Each step is a few transactions, each with a commit of its own.
    run_state_machine_as_test(
        lambda: Families(fresh, monkeypatch),  # type: ignore[arg-type]
        settings=settings(max_examples=20, stateful_step_count=25),
    )


async def _take_back(tx: Tx, account: Account) -> None:
    consent = await consent_store.find(tx, account.id, APP.client_id, "/api/v1")
    if consent is not None:
        await consent_store.remove(tx, account.id, consent.id)
    await grant_store.end_of_application(tx, OWNERS, account.id, APP.client_id, "/api/v1")


async def _audit(tx: Tx, action: str) -> Any:
    return await tx.all("SELECT id FROM audit WHERE action = $1", action)
