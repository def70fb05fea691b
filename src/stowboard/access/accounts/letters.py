"""Letters to people about their accounts: invitations, links for a new password, and that a password was changed.

A letter is ordered in the transaction of its cause, and sent by a job. Its text may hold a link, so it waits sealed.
Links begin with the public address alone: the host of a request is whatever its sender wrote.
"""

import contextlib

import msgspec

from stowboard.access.base.account import Account
from stowboard.access.base.tickets import Purpose, Ticket, link_of
from stowboard.core.sealing import Sealing
from stowboard.db.database import Tx
from stowboard.events.mail.mailer import Mailer, MailRefused
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind

_PURPOSE = "letter"
_INVITATION = """\
You were invited to Stowboard at {origin}.

Make your account here, within a week:
{link}
"""
_RESET = """\
An admin of Stowboard at {origin} made a link for you, {username}.

Choose your password here, within a day:
{link}
"""
_CHANGED = """\
The password of {username} was changed, and every other session has ended.

If it was not you, ask an admin for a new link at once.
"""


class SealedLetter(msgspec.Struct, frozen=True):
    to: str
    subject: str
    text: bytes


class Letters:
    """Does nothing where no relay is set, nor with links where no public address is."""

    def __init__(self, mailer: Mailer, sealing: Sealing) -> None:
        self._mailer, self._sealing = mailer, sealing

    async def send_link_later(self, tx: Tx, to: str | None, ticket: Ticket, secret: str, username: str = "") -> None:
        """An invitation, or a link for a new password."""
        origin = self._mailer.public_url
        if origin is None:
            return
        link = link_of(origin, ticket, secret)
        if ticket.purpose == Purpose.INVITE:
            await self._send_later(
                tx, to, "You were invited to Stowboard", _INVITATION.format(origin=origin, link=link)
            )
        else:
            text = _RESET.format(origin=origin, link=link, username=username)
            await self._send_later(tx, to, "Your password for Stowboard", text)

    async def tell_of_change_later(self, tx: Tx, account: Account) -> None:
        """That the password was changed, to who may not have done it."""
        await self._send_later(
            tx, account.email, "Your password was changed", _CHANGED.format(username=account.username)
        )

    async def _send_later(self, tx: Tx, to: str | None, subject: str, text: str) -> None:
        if to is not None and self._mailer.is_set:
            await enqueue(tx, MAIL_LETTER, SealedLetter(to, subject, self._sealing.seal(_PURPOSE, text.encode())))


async def mail_letter(job: Job, letter: SealedLetter) -> None:
    text = job.use(Sealing).open(_PURPOSE, letter.text).decode()
    mailer = job.use(Mailer)
    with contextlib.suppress(MailRefused):  # the address is wrong: the link was shown to who made it
        await mailer.send(mailer.message(job.id, letter.to, letter.subject, text))


MAIL_LETTER = JobKind("access.mail_letter", "mail", mail_letter, args=SealedLetter, max_attempts=30, retry_ms=15_000)
