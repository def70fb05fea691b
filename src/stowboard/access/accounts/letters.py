"""Letters to people about their accounts: links that work once, and notices that a password or address was changed.

A letter is ordered in the transaction of its cause, and sent by a job. Its text may hold a link, so it waits sealed.
Links begin with the public address alone: the host of a request is whatever its sender wrote.

An invitation and a link that confirms an address go to somebody who may have asked for nothing. A person sends ten of
them an hour, an address gets ten, and they wait in a lane of their own, never before a link that somebody asked for.
"""

import contextlib
import hashlib

import msgspec

from stowboard.access.base.account import Account
from stowboard.access.base.buckets import fill
from stowboard.access.base.tickets import Ticket, TicketPurpose, link_of
from stowboard.core.sealing import Sealing
from stowboard.db.database import Tx
from stowboard.events.audit import OPERATOR, Actor
from stowboard.events.mail.mailer import Mailer, MailRefused
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind

_PURPOSE = "letter"
_HOUR_MS, _LETTERS_AN_HOUR = 3600 * 1000, 10
_TOO_MANY = (
    f"A person mails {_LETTERS_AN_HOUR} letters an hour, and an address that is not confirmed gets as many."
    " Hand the link over yourself, without email, or wait."
)
_INVITATION = """\
You were invited to Stowboard at {origin}.

Make your account here, within a week:
{link}
"""
_TO_SPACE = """\
You were invited to share the space {space} of Stowboard at {origin}.

Sign in and join it here:
{link}
"""
_RESET = """\
An admin of Stowboard at {origin} made a link for you, {username}.

Choose your password here, within a day:
{link}
"""
_CONFIRM = """\
This address was given for the account {username} of Stowboard at {origin}.

Confirm that it is yours here, within a day:
{link}

If you know nothing of it, do nothing: the address is not used.
"""
_EMAIL = """\
The e-mail address of {username} is to become {email}.

If it was not you, sign in, change your password and set the address again; or ask an admin.
"""
_CHANGED = """\
The password of {username} was changed, and every other session has ended.

If it was not you, ask an admin for a new link at once.
"""
_WITH_LINK = {
    TicketPurpose.INVITE: ("You were invited to Stowboard", _INVITATION),
    TicketPurpose.RESET: ("Your password for Stowboard", _RESET),
    TicketPurpose.EMAIL: ("Confirm your e-mail address", _CONFIRM),
}


class SealedLetter(msgspec.Struct, frozen=True):
    to: str
    subject: str
    text: bytes


class Letters:
    """Sends nothing if no relay is set, and no links if no public address is set."""

    def __init__(self, mailer: Mailer, sealing: Sealing) -> None:
        self._mailer, self._sealing = mailer, sealing

    @property
    def has_links(self) -> bool:
        return self._mailer.is_set and self._mailer.public_url is not None

    async def send_link_later(self, tx: Tx, to: str | None, ticket: Ticket, secret: str, username: str = "") -> None:
        """Mail an invitation, a link for a new password, or one that confirms the address."""
        origin = self._mailer.public_url
        if origin is None:
            return
        link = link_of(origin, ticket, secret)
        subject, text = _WITH_LINK[ticket.purpose]
        text = text.format(origin=origin, link=link, username=username)
        if ticket.purpose is TicketPurpose.RESET:
            await self._send_later(tx, to, subject, text)
        else:
            await self._send_unasked_later(tx, ticket.created_by, to, subject, text)

    async def invite_to_space_later(self, tx: Tx, actor: Actor, to: str | None, space_name: str, secret: str) -> None:
        """Raises RateLimited, as `send_link_later` does for the links that nobody asked for."""
        origin = self._mailer.public_url
        if origin is not None:
            link = f"{origin}/join#ticket={secret}"
            text = _TO_SPACE.format(origin=origin, space=space_name, link=link)
            await self._send_unasked_later(tx, actor.name, to, f"You were invited to {space_name}", text)

    async def tell_of_email_later(self, tx: Tx, account: Account, email: str | None) -> None:
        """Tell the old address that another one, or none, takes its place."""
        text = _EMAIL.format(username=account.username, email=email or "empty")
        await self._send_later(tx, account.confirmed_email, "Your e-mail address", text)

    async def tell_of_change_later(self, tx: Tx, account: Account) -> None:
        """Tell the person that the password was changed, in case somebody else did it."""
        await self._send_later(
            tx, account.confirmed_email, "Your password was changed", _CHANGED.format(username=account.username)
        )

    async def _send_unasked_later(self, tx: Tx, sender: str, to: str | None, subject: str, text: str) -> None:
        """Order a letter to an address that may have asked for nothing. Raises RateLimited."""
        if to is not None and self._mailer.is_set:
            counted = [] if sender == OPERATOR.name else [f"letter by {sender}"]
            for name in [*counted, f"letter to {to.lower()}"]:
                key = hashlib.sha256(name.encode()).digest()
                await fill(tx, key, _HOUR_MS // _LETTERS_AN_HOUR, _HOUR_MS, _TOO_MANY)
            await self._send_later(tx, to, subject, text, MAIL_UNASKED, sender)

    async def _send_later(
        self,
        tx: Tx,
        to: str | None,
        subject: str,
        text: str,
        kind: JobKind[SealedLetter] | None = None,
        owner: str = "",
    ) -> None:
        if to is not None and self._mailer.is_set:
            sealed = SealedLetter(to, subject, self._sealing.seal(_PURPOSE, text.encode()))
            await enqueue(tx, kind or MAIL_LETTER, sealed, owner=owner or to)


async def mail_letter(job: Job, letter: SealedLetter) -> None:
    text = job.use(Sealing).open(_PURPOSE, letter.text).decode()
    mailer = job.use(Mailer)
    with contextlib.suppress(MailRefused):  # the address is wrong: whoever made the link was shown the link
        await mailer.send(mailer.message(job.id, letter.to, letter.subject, text))


MAIL_LETTER = JobKind("access.mail_letter", "mail", mail_letter, args=SealedLetter, max_attempts=30, retry_ms=15_000)
MAIL_UNASKED = JobKind(
    "access.mail_unasked", "letter", mail_letter, args=SealedLetter, max_attempts=30, retry_ms=15_000
)
