"""The life of a webhook: disabled, enabled, replayed, its secret rotated, deleted."""

import msgspec
import pytest
from msgspec.structs import replace
from standardwebhooks import Webhook as Oracle
from standardwebhooks import WebhookVerificationError

from stowboard.core import clock
from stowboard.core.sealing import SealedElsewhere
from stowboard.db.database import Database, Tx
from stowboard.deliveries.settings import DeliverySettings
from stowboard.webhooks import manage
from stowboard.webhooks.webhook import DisabledReason, sealing_purpose
from stowboard.webhooks.wire import WebhookPatch
from support.waiting import until
from support.webhooks.installation import ALICE, FAST, sending
from support.webhooks.receiver import Answer, Receiver

SLOW_TO_RETRY = replace(FAST, pauses_s=(3600.0,) * 5)


async def test_gone_disables_the_webhook_and_tells_the_others(database: Database) -> None:
    with Receiver() as gone, Receiver() as other:
        gone.answer = lambda _: Answer(410)
        async with sending(database) as installation:
            webhook, _ = await installation.webhook(gone.url, "task.*")
            await installation.webhook(other.url, "webhook.*")
            await installation.tell("tsk_a")
            await until(lambda: len(other.received) == 1)
            present = await installation.present(webhook)
            await installation.tell("tsk_b")
            await until(lambda: installation.is_handed_out())
    assert (present.enabled, present.disabled_reason) == (False, DisabledReason.GONE)
    assert other.received[0].event["type"] == "webhook.disabled"
    assert other.received[0].event["data"] == {"webhookId": webhook.id, "reason": "gone"}
    assert len(gone.received) == 1


async def test_days_without_a_success_disable_the_webhook(database: Database) -> None:
    with Receiver() as failing:
        failing.answer = lambda _: Answer(500)
        async with sending(database, replace(FAST, disabled_after_s=0.0)) as installation:
            webhook, _ = await installation.webhook(failing.url)
            await installation.tell("tsk_a")
            await until(lambda: installation.is_disabled(webhook))
            present = await installation.present(webhook)
    assert present.disabled_reason is DisabledReason.FAILING


async def test_what_waited_is_sent_when_a_webhook_is_enabled_and_the_rest_by_a_replay(database: Database) -> None:
    with Receiver() as receiver:
        receiver.answer = lambda _: Answer(500)
        async with sending(database, SLOW_TO_RETRY) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            before = clock.now_ms() - 1000
            waiting = [await installation.tell("tsk_a", 1), await installation.tell("tsk_a", 2)]
            await until(lambda: installation.has_failed(webhook, 1))
            await database.transact(manage.change_webhook, ALICE, webhook.id, WebhookPatch(enabled=False))
            missed = await installation.tell("tsk_b")
            receiver.answer = lambda _: Answer()
            await database.transact(manage.change_webhook, ALICE, webhook.id, WebhookPatch(enabled=True))
            await until(lambda: installation.is_placed(missed))
            replayed = await database.transact(manage.replay_since, ALICE, webhook.id, before)
            await until(lambda: missed in receiver.ids())
    assert replayed.replayed == 3
    assert set(receiver.ids()) >= {waiting[0], missed}


async def test_both_secrets_sign_after_a_rotation(database: Database) -> None:
    with Receiver() as receiver:
        async with sending(database) as installation:
            webhook, old = await installation.webhook(receiver.url)
            _, new = await database.transact(manage.rotate_secret, ALICE, webhook.id, installation.seal)
            await installation.tell("tsk_a")
            await until(lambda: len(receiver.received) == 1)
    received = receiver.received[0]
    for secret in (old, new):
        Oracle(secret).verify(received.body, received.headers)
    with pytest.raises(WebhookVerificationError):
        Oracle("whsec_" + "A" * 43 + "=").verify(received.body, received.headers)


async def _end_old_secret(tx: Tx, webhook_id: str) -> None:
    await tx.run("UPDATE webhook SET old_secret_until = $2 WHERE id = $1", webhook_id, clock.now_ms())


async def test_the_old_secret_signs_no_more_after_its_day(database: Database) -> None:
    with Receiver() as receiver:
        async with sending(database) as installation:
            webhook, old = await installation.webhook(receiver.url)
            _, new = await database.transact(manage.rotate_secret, ALICE, webhook.id, installation.seal)
            await database.transact(_end_old_secret, webhook.id)
            await installation.tell("tsk_a")
            await until(lambda: len(receiver.received) == 1)
    received = receiver.received[0]
    Oracle(new).verify(received.body, received.headers)
    with pytest.raises(WebhookVerificationError):
        Oracle(old).verify(received.body, received.headers)


async def test_a_secret_is_not_in_the_table_and_opens_in_its_own_row_alone(database: Database) -> None:
    async with sending(database) as installation:
        webhook, secret = await installation.webhook("http://127.0.0.1:1/")
        assert secret.encode() not in webhook.secret
        assert installation.seal.open(sealing_purpose(webhook.id), webhook.secret).decode() == secret
        other = msgspec.structs.replace(webhook, id="whk_other")
        with pytest.raises(SealedElsewhere):
            installation.seal.open(sealing_purpose(other.id), other.secret)


async def test_a_deleted_webhook_is_sent_nothing_and_its_log_goes(database: Database) -> None:
    with Receiver() as receiver:
        receiver.answer = lambda _: Answer(500)
        async with sending(database, SLOW_TO_RETRY) as installation:
            webhook, _ = await installation.webhook(receiver.url)
            for number in range(5):
                await installation.tell(f"tsk_{number}")
            await until(lambda: installation.has_failed(webhook, 1))
            await database.transact(manage.delete_webhook, ALICE, webhook.id)
            await until(lambda: installation.is_empty("delivery"))
            await until(lambda: installation.is_empty("delivery_attempt"))


def test_deliveries_are_tried_for_three_days() -> None:
    assert 72 <= sum(DeliverySettings().pauses_s) / 3600 <= 84
