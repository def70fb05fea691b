"""Reminders by mail, against a real relay."""

import dataclasses
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from stowboard.core.clock import LATEST_MS
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.events.mail.mailer import Mailer
from stowboard.events.mail.settings import MailSettings, read_relay, read_sender
from stowboard.events.sequencer import Sequencer
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from stowboard.notifications.hand_out import NotificationReader
from stowboard.notifications.send import MAIL, text_of
from stowboard.notifications.words import NotificationMessage
from stowboard.tasks.archive import delete_task
from stowboard.tasks.base.task import TaskId
from stowboard.tasks.create import create_task
from stowboard.tasks.reminders import REMIND
from stowboard.tasks.wire import CreateBody
from support.database.statements import rows
from support.jobs.reminded import make_reminded
from support.jobs.working import no_jobs_left
from support.mail.relay import TAKEN, MailRelay
from support.tasks.worn_lanes import access_of
from support.waiting import until

OWNER = access_of("reminded")
#: As the service has it, but for the pause between attempts.
QUICK = dataclasses.replace(MAIL, retry_ms=20)


@pytest.fixture
def relay() -> Iterator[MailRelay]:
    with MailRelay() as relay:
        yield relay


@asynccontextmanager
async def reminding(database: Database, url: str | None) -> AsyncIterator[None]:
    services = Services()
    services.add(Mailer, Mailer(MailSettings(url, "stow@example.com", "https://stow.example")))
    for name in ("reminded", "quiet"):
        await database.transact(make_reminded, name, by_mail=name != "quiet")
    settings = JobSettings({"reminder": 4, "mail": 4}, poll_ms=50)
    worker = Worker(database, services, [REMIND, QUICK], settings=settings)
    readers = (Sequencer(database), NotificationReader(database))
    for part in (worker, *readers):
        part.start()
    try:
        yield
    finally:
        for reader in readers:
            await reader.stop()
        await worker.stop(1)


async def remind_of(database: Database, title: str, owner: str = "reminded", **members: object) -> str:
    body = CreateBody(title=title, reminder=time.time_ns() // 1_000_000, **members)  # type: ignore[arg-type]
    task, _ = await database.transact(create_task, access_of(owner), body)
    return task.id


async def all_done(database: Database) -> bool:
    """True if every reminder was handed out, and no job is left."""
    if not await told(database):
        return False
    ((unhanded,),) = await rows(
        database,
        "SELECT count(*) FROM event WHERE type = 'task.reminder'"
        " AND (position IS NULL OR position > (SELECT position FROM notification_head))",
    )
    return unhanded == 0 and await no_jobs_left(database)


async def told(database: Database) -> list[str]:
    return [event_id for (event_id,) in await rows(database, "SELECT id FROM event WHERE type = 'task.reminder'")]


async def test_a_reminder_is_one_mail_with_title_date_and_link(database: Database, relay: MailRelay) -> None:
    async with reminding(database, relay.url):
        due = 1_794_819_600_000  # 2026-11-16T09:00Z
        task_id = await remind_of(database, "Water the plänts 🌱", due_at=due, time_zone="Europe/Berlin", body="secret")
        await until(lambda: len(relay.taken) == 1)
        await until(lambda: all_done(database))
    [message] = relay.taken
    [event_id] = await told(database)
    assert message["Message-ID"] == f"<{event_id}@example.com>"
    assert message["To"] == "reminded@example.org"
    assert message["From"] == "Stowboard <stow@example.com>"
    assert message["Subject"] == "Reminder: Water the plänts 🌱"
    assert message["Auto-Submitted"] == "auto-generated"
    text = message.get_content()
    assert "Due: Monday, 16 November 2026, 10:00 (Europe/Berlin)" in text
    assert f"https://stow.example/tasks/{task_id}" in text
    assert "secret" not in text


async def test_a_reminder_of_a_date_that_no_clock_shows_is_mailed_without_it(
    database: Database, relay: MailRelay
) -> None:
    """In Tokyo the year 10000 has begun."""
    async with reminding(database, relay.url):
        await remind_of(database, "At last", due_at=LATEST_MS, time_zone="Asia/Tokyo")
        await until(lambda: len(relay.taken) == 1)
    assert "Due:" not in relay.taken[0].get_content()


async def test_a_relay_that_says_451_is_asked_again_and_the_mail_comes_once(
    database: Database, relay: MailRelay
) -> None:
    answers = iter(["451 later", "421 not now"])
    relay.answer = lambda: next(answers, TAKEN)
    async with reminding(database, relay.url):
        await remind_of(database, "a")
        await until(lambda: len(relay.taken) == 1)
        await until(lambda: all_done(database))
    assert relay.offered == 3
    assert relay.ids() == await told(database)


async def test_a_relay_that_is_away_is_waited_for(database: Database) -> None:
    relay = MailRelay()
    async with reminding(database, relay.url):
        await remind_of(database, "a")
        await until(lambda: _attempted(database))
        with relay:
            await until(lambda: len(relay.taken) == 1)


async def test_what_the_relay_refuses_for_good_is_not_tried_again(
    database: Database, relay: MailRelay, caplog: pytest.LogCaptureFixture
) -> None:
    relay.answer = lambda: "550 no such person"
    async with reminding(database, relay.url):
        await remind_of(database, "a")
        await until(lambda: all_done(database))
    assert (relay.offered, relay.taken) == (1, [])
    assert "550 no such person" in caplog.text


async def test_nobody_is_mailed_who_does_not_want_it(database: Database, relay: MailRelay) -> None:
    async with reminding(database, relay.url):
        await remind_of(database, "a", owner="quiet")
        await remind_of(database, "b")
        await until(lambda: len(relay.taken) == 1)
        await until(lambda: all_done(database))
    assert [message["To"] for message in relay.taken] == ["reminded@example.org"]
    assert len(await told(database)) == 2


async def test_without_a_relay_a_reminder_is_an_event_and_nothing_else(database: Database) -> None:
    async with reminding(database, None):
        await remind_of(database, "a")
        await until(lambda: all_done(database))
    assert len(await told(database)) == 1


async def test_a_task_that_is_gone_when_the_mail_could_be_sent_is_not_mailed(
    database: Database, relay: MailRelay
) -> None:
    relay.answer = lambda: "451 later"
    async with reminding(database, relay.url):
        task_id = await remind_of(database, "a")
        await until(lambda: relay.offered >= 1)
        await database.transact(delete_task, OWNER, TaskId(task_id), None)
        await until(lambda: all_done(database))
    assert relay.taken == []


def test_a_title_of_several_lines_cannot_add_a_header() -> None:
    mailer = Mailer(MailSettings("smtp://a", "stow@example.com"))
    message = mailer.message("evt_1", "a@example.org", "Reminder: a\r\nBcc: x@y.z\nb", "text")
    assert message["Subject"] == "Reminder: a Bcc: x@y.z b"
    assert message["Bcc"] is None


def test_without_a_public_address_there_is_no_link() -> None:
    message = NotificationMessage(id="ntf_1", kind="reminder", heading="Reminder", discreet="", title="t", created_at=1)
    assert "http" not in text_of(message, None)


@pytest.mark.parametrize(
    ("url", "tls", "port"),
    [
        ("smtp://relay.example", "starttls", 587), ("smtps://u:p%40ss@relay.example", "tls", 465),
        ("smtp://relay.example:25?tls=none", "none", 25),
    ],
)  # fmt: skip
def test_the_address_of_a_relay_is_read(url: str, tls: str, port: int) -> None:
    relay = read_relay(url)
    assert (relay.host, relay.tls, relay.port) == ("relay.example", tls, port)
    assert relay.password in (None, "p@ss")


def test_a_password_is_never_sent_without_tls() -> None:
    with pytest.raises(ValueError, match="show it to the network"):
        MailSettings("smtp://u:p@relay.example?tls=none", "a@b.example").validate()


def test_mail_needs_a_sender() -> None:
    with pytest.raises(ValueError, match="STOWBOARD_MAIL_FROM"):
        MailSettings("smtp://relay.example").validate()
    assert read_sender("stow@example.com") == "stow@example.com"


async def _attempted(database: Database) -> bool:
    return await rows(database, "SELECT 1 FROM job WHERE kind = 'notifications.mail' AND error IS NOT NULL") != []
