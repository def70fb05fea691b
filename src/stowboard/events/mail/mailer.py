"""Hands mail to the operator's relay, by SMTP in a thread.

When `send` returns, the relay has taken the message; its exceptions say whether another attempt makes sense. If the
process is killed between the relay's answer and the row that records it, the message goes out again, with the same
Message-ID: mail is sent at least once, and twice only then.
"""

import asyncio
import ssl
from email.utils import format_datetime, localtime
from typing import TYPE_CHECKING

from stowboard.events.mail.settings import MailSettings, Relay

if TYPE_CHECKING:  # more than a megabyte, which is loaded with the first message
    import smtplib
    from email.message import EmailMessage

SECONDS = 20.0


class MailRefused(Exception):
    """The relay will not take this message however often it is tried."""


class MailDelayed(Exception):
    """The relay is away, or asks us to come again."""


class Mailer:
    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings
        self._relay = settings.relay() if settings.smtp_url is not None else None

    @property
    def is_set(self) -> bool:
        return self._relay is not None

    @property
    def public_url(self) -> str | None:
        return self._settings.public_url

    def message(self, message_id: str, to: str, subject: str, text: str) -> "EmailMessage":
        """A message of ours. The id names the cause, so that each attempt is the same message."""
        from email.message import EmailMessage

        sender = self._settings.mail_from or ""
        message = EmailMessage()
        message["From"] = f"Stowboard <{sender}>"
        message["To"] = to
        message["Subject"] = " ".join(subject.split())
        message["Date"] = format_datetime(localtime())
        message["Message-ID"] = f"<{message_id}@{sender.rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        return message

    async def send(self, message: "EmailMessage") -> None:
        """Raises MailDelayed or MailRefused."""
        import smtplib

        assert self._relay is not None
        try:
            await asyncio.to_thread(_send, self._relay, message)
        except smtplib.SMTPResponseException as error:
            raise _refusal(error.smtp_code, error.smtp_error) from None
        except smtplib.SMTPRecipientsRefused as error:
            raise _refusal(*next(iter(error.recipients.values()))) from None
        except (smtplib.SMTPException, OSError) as error:
            raise MailDelayed(f"The relay cannot be reached: {type(error).__name__}.") from None


def _send(relay: Relay, message: "EmailMessage") -> None:
    context = ssl.create_default_context() if relay.tls != "none" else None
    with _connected(relay, context) as smtp:
        if relay.tls == "starttls":
            smtp.starttls(context=context)
        if relay.user is not None:
            smtp.login(relay.user, relay.password or "")
        smtp.send_message(message)


def _connected(relay: Relay, context: ssl.SSLContext | None) -> "smtplib.SMTP":
    import smtplib

    if relay.tls == "tls":
        return smtplib.SMTP_SSL(relay.host, relay.port, timeout=SECONDS, context=context)
    return smtplib.SMTP(relay.host, relay.port, timeout=SECONDS)


def _refusal(code: int, text: bytes | str) -> Exception:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    kind = MailRefused if 500 <= code < 600 else MailDelayed
    return kind(f"The relay said {code} {words[:200]}")
