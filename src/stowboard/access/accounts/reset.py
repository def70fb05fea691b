"""Reset links by mail. A job does all that depends on whether the account exists, so the answer does not tell it."""

import contextlib

import msgspec

from stowboard.access.accounts import changes
from stowboard.access.base import account_store
from stowboard.access.base.tickets import link_of
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events.audit import Actor
from stowboard.events.mail.mailer import Mailer, MailRefused
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind

_LONGEST_LOGIN = 254


class ResetArgs(msgspec.Struct, frozen=True):
    login: str


async def mail_reset_later(tx: Tx, login: str) -> None:
    await enqueue(tx, MAIL_RESET, ResetArgs(login[:_LONGEST_LOGIN]), owner=login[:_LONGEST_LOGIN])


async def mail_reset(job: Job, args: ResetArgs) -> None:
    mailer = job.use(Mailer)
    # Not the host of the request: an attacker could name a host of their own, and the link would lead there.
    if not mailer.is_set or mailer.public_url is None:
        return
    letter = await job.db.transact(_write_letter, job, args.login, mailer.public_url)
    if letter is not None:
        to, text = letter
        with contextlib.suppress(MailRefused):  # the address is wrong: an admin can make a link
            await mailer.send(mailer.message(job.id, to, "A new password", text))


async def _write_letter(tx: Tx, job: Job, login: str, origin: str) -> tuple[str, str] | None:
    """The address and the text."""
    account = await account_store.find_for_mail(tx, login)
    if account is None or account.confirmed_email is None or account.disabled:
        return None
    ticket, secret = await changes.make_reset_link(tx, job.use(DigestKey), Actor(account.username), account)
    text = (
        f"Somebody, probably you, asked for a new password of {account.username}.\n\n"
        f"Choose one here within a day:\n{link_of(origin, ticket, secret)}\n\n"
        "If it was not you, nothing needs to be done: the old password still works.\n"
    )
    return account.confirmed_email, text


MAIL_RESET = JobKind("access.mail_reset", "mail", mail_reset, args=ResetArgs)
