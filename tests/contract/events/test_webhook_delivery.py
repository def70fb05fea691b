"""Deliveries: each event at least once, in the order of its subject, whatever the receiver does."""

import random
import threading
from collections import defaultdict

import pytest
from msgspec.structs import replace
from standardwebhooks import Webhook as Oracle

from stowboard.core import clock
from stowboard.db.database import Database
from stowboard.webhooks import manage
from stowboard.webhooks.wire import WebhookPatch
from support.database.statements import rows
from support.waiting import until
from support.webhooks.installation import ALICE, FAST, sending
from support.webhooks.receiver import Answer, Received, Receiver

SLOW_TO_RETRY = replace(FAST, pauses_s=(3600.0,) * 5)


async def test_each_event_arrives_once_signed_and_in_the_order_of_its_subject(database: Database) -> None:
    with Receiver() as receiver:
        async with sending(database) as installation:
            _, secret = await installation.webhook(receiver.url)
            told = [await installation.tell(f"tsk_{n % 7}", n) for n in range(70)]
            await until(lambda: len(receiver.received) >= 70)
    assert sorted(receiver.ids()) == sorted(told)
    by_subject: defaultdict[str, list[int]] = defaultdict(list)
    for received in receiver.received:
        Oracle(secret).verify(received.body, received.headers)
        by_subject[received.event["subject"]].append(received.event["data"]["version"])
    assert all(versions == sorted(versions) for versions in by_subject.values())
    assert receiver.most_at_once <= FAST.at_once


async def test_a_webhook_hears_of_its_owners_events_and_kinds_alone(database: Database) -> None:
    with Receiver() as all_kinds, Receiver() as other_kinds, Receiver() as other_owner:
        async with sending(database) as installation:
            await installation.webhook(all_kinds.url, "task.*")
            boards, _ = await installation.webhook(other_kinds.url, "board.*", "task.completed")
            await installation.webhook(other_owner.url, "*", owner="bob")
            told = [await installation.tell("tsk_a"), await installation.tell("tsk_b")]
            mine = await installation.tell("tsk_c", owner="bob")
            await until(lambda: len(all_kinds.received) == 2 and len(other_owner.received) == 1)
            assert await installation.statuses(boards) == []
    assert sorted(all_kinds.ids()) == told
    assert other_owner.ids() == [mine]
    assert other_kinds.received == []


async def test_a_failed_delivery_is_tried_again_and_later_ones_of_its_subject_wait(database: Database) -> None:
    failures = iter([500, 502])

    def answer(received: Received) -> Answer:
        if received.event["subject"] == "tsk_a" and (status := next(failures, None)):
            return Answer(status, body=b"not now")
        return Answer()

    with Receiver() as receiver:
        receiver.answer = answer
        async with sending(database) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            first, second = await installation.tell("tsk_a", 1), await installation.tell("tsk_a", 2)
            other = await installation.tell("tsk_b")
            await until(lambda: {second, other} <= set(receiver.ids()))
            await until(lambda: installation.are_all(webhook, "delivered"))
            delivery = await installation.delivery(webhook, first)
            log = await rows(
                database, "SELECT status, answer FROM delivery_attempt WHERE message_id = $1 ORDER BY number", first
            )
    assert [received.id for received in receiver.received if received.id != other] == [first, first, first, second]
    assert delivery is not None
    assert delivery.tries == 3
    assert [tuple(row) for row in log] == [(500, "not now"), (502, "not now"), (200, "ok")]


async def test_after_three_failures_the_next_of_a_subject_is_not_held_up_any_more(database: Database) -> None:
    with Receiver() as receiver:
        receiver.answer = lambda received: Answer(500 if received.event["data"]["version"] == 1 else 200)
        async with sending(database, replace(FAST, pauses_s=(0.01, 0.01, 3600.0))) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            told = [await installation.tell("tsk_a", version) for version in (1, 2, 3)]
            await until(lambda: told[2] in receiver.ids())
            await until(lambda: installation.are(webhook, ["pending", "delivered", "delivered"]))
    assert receiver.ids() == [told[0]] * 3 + told[1:]


async def test_what_fails_for_three_days_has_failed_and_can_be_replayed(database: Database) -> None:
    with Receiver() as receiver:
        receiver.answer = lambda _: Answer(500)
        async with sending(database) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            told = await installation.tell("tsk_a")
            await until(lambda: installation.are(webhook, ["failed"]))
            assert len(receiver.received) == len(FAST.pauses_s) + 1
            receiver.answer = lambda _: Answer()
            replayed = await database.transact(manage.replay_failed, ALICE, webhook.id)
            await until(lambda: installation.are(webhook, ["delivered"]))
    assert replayed.replayed == 1
    assert set(receiver.ids()) == {told}


async def test_one_receiver_that_never_answers_delays_no_other(database: Database) -> None:
    given_up = threading.Event()
    with Receiver() as dead, Receiver() as alive:
        dead.answer = lambda _: Answer(200 if given_up.wait(60) else 500)
        async with sending(database, replace(FAST, seconds=30.0)) as installation:
            stuck, _ = await installation.webhook(dead.url)
            await installation.webhook(alive.url)
            told = [await installation.tell(f"tsk_{n}") for n in range(50)]
            await until(lambda: len(alive.received) == 50)
            assert sorted(alive.ids()) == sorted(told)
            assert "delivered" not in await installation.statuses(stuck)
        given_up.set()
    assert len(dead.received) <= FAST.at_once


async def test_a_dead_receiver_is_asked_ever_more_rarely_and_by_one_request_at_a_time(database: Database) -> None:
    resting = replace(FAST, rest_s=3600.0, longest_rest_s=3600.0, at_once=1)
    with Receiver() as receiver:
        receiver.answer = lambda _: Answer(500)
        async with sending(database, resting) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            for number in range(20):
                await installation.tell(f"tsk_{number}")
            await until(lambda: installation.has_failed(webhook, resting.patience))
            present = await installation.present(webhook)
            assert present.resting_until > clock.now_ms() + 1_000_000
            assert len(receiver.received) == resting.patience
            await installation.tell("tsk_more")
            await until(lambda: installation.are(webhook, ["pending"] * 21))
            await until(lambda: installation.is_left_alone(webhook))
            assert len(receiver.received) == resting.patience
            receiver.answer = lambda _: Answer()
            await database.transact(manage.change_webhook, ALICE, webhook.id, WebhookPatch(enabled=True))
            await until(lambda: installation.are_all(webhook, "delivered"))


async def test_retry_after_is_heeded(database: Database) -> None:
    with Receiver() as receiver:
        receiver.answer = lambda _: Answer(429, {"Retry-After": "7200"})
        async with sending(database) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            told = await installation.tell("tsk_a")
            await until(lambda: installation.has_failed(webhook, 1))
            delivery, present = await installation.delivery(webhook, told), await installation.present(webhook)
    assert delivery is not None
    assert delivery.due is not None
    assert delivery.due > clock.now_ms() + 7_000_000
    assert present.resting_until > clock.now_ms() + 7_000_000


@pytest.mark.parametrize("seed", range(4))
async def test_order_per_subject_holds_among_failures(database: Database, seed: int) -> None:
    """A later event is first tried after the earlier one succeeded, or failed three times."""
    chance = random.Random(seed)
    lock = threading.Lock()
    tries: defaultdict[str, list[tuple[int, bool]]] = defaultdict(list)

    def answer(received: Received) -> Answer:
        with lock:
            succeeds = chance.random() < 0.6
            tries[received.event["subject"]].append((received.event["data"]["version"], succeeds))
        return Answer(200 if succeeds else 500)

    patient = replace(FAST, pauses_s=(0.01,) * 40, rest_s=0.01, longest_rest_s=0.02)
    with Receiver() as receiver:
        receiver.answer = answer
        async with sending(database, patient) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            for version in range(1, 13):
                for subject in ("tsk_a", "tsk_b", "tsk_c"):
                    await installation.tell(subject, version)
            await until(lambda: installation.are(webhook, ["delivered"] * 36))
    for subject, tried in tries.items():
        failed: defaultdict[int, int] = defaultdict(int)
        done: set[int] = set()
        for version, succeeds in tried:
            if version > 1 and failed[version] == 0:
                assert version - 1 in done or failed[version - 1] >= 3, (subject, tried)
            failed[version] += not succeeds
            if succeeds:
                done.add(version)
        assert done == set(range(1, 13))


async def test_a_full_kilobyte_of_a_strange_answer_is_kept(database: Database) -> None:
    with Receiver() as receiver:
        receiver.answer = lambda _: Answer(400, body=b"\x00\xff" * 5000)
        async with sending(database, SLOW_TO_RETRY) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            await installation.tell("tsk_a")
            await until(lambda: installation.has_failed(webhook, 1))
            [(answer,)] = await rows(database, "SELECT answer FROM delivery_attempt")
    assert answer == "\ufffd" * 512
