"""A forgotten password, by mail. All that could tell whether an account exists is done in a job, after the answer."""

import msgspec

from stowboard.access.accounts import changes
from stowboard.access.accounts.mailer import Letter, Mailer
from stowboard.access.base import account_store
from stowboard.access.base.tickets import link_of
from stowboard.access.settings import AccessSettings
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events.audit import Actor
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind

_LONGEST_LOGIN = 254


class MailReset(msgspec.Struct, frozen=True):
    login: str


async def mail_reset_later(tx: Tx, login: str) -> None:
    await enqueue(tx, MAIL_RESET, MailReset(login[:_LONGEST_LOGIN]))


async def mail_reset(job: Job, args: MailReset) -> None:
    mailer, origin = job.use(Mailer), job.use(AccessSettings).public_url
    # Not the host of the request: whoever asks could name one of their own, and be sent the link.
    if not mailer.is_set_up or origin is None:
        return
    letter = await job.db.transact(_write_letter, job.use(DigestKey), args.login, origin)
    if letter is not None:
        await mailer.send(letter)


async def _write_letter(tx: Tx, key: DigestKey, login: str, origin: str) -> Letter | None:
    account = await account_store.find_for_mail(tx, login)
    if account is None or account.email is None or account.disabled:
        return None
    ticket, secret = await changes.make_reset_link(tx, key, Actor(account.username), account)
    text = (
        f"Somebody, probably you, asked for a new password of {account.username}.\n\n"
        f"Choose one here within a day:\n{link_of(origin, ticket, secret)}\n\n"
        "If it was not you, nothing needs to be done: the old password still works.\n"
    )
    return Letter(account.email, "A new password", text)


MAIL_RESET = JobKind("access.mail_reset", "mail", mail_reset, args=MailReset)
