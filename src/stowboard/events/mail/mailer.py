"""Hands mail to the operator's relay, by SMTP in a thread.

When `send` returns, the relay has taken the message; its exceptions say whether another attempt makes sense. If the
process is killed between the relay's answer and the row that records it, the message goes out again, with the same
Message-ID: mail is sent at least once, and twice only then.

Titles and names of people stand in headers. We encode them ourselves and give them to no parser: Pythons before 3.11.10
and 3.12.5 decode an encoded word in a text, and write the line ends that it holds (CVE-2024-6923).
"""

import asyncio
import ssl
from typing import TYPE_CHECKING

from stowboard.core.plain_text import shown_line
from stowboard.events.mail.address import is_mail_address
from stowboard.events.mail.settings import MailSettings, Relay

if TYPE_CHECKING:  # more than a megabyte, which is loaded with the first message
    import smtplib
    from email.header import Header
    from email.mime.text import MIMEText

SECONDS = 20.0
#: A header of this length needs no second line.
_UNFOLDED = 60


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

    def message(self, message_id: str, to: str, subject: str, text: str) -> "MIMEText":
        """A message of ours. The id names the cause, so that each attempt is the same message."""
        from email.charset import QP, Charset
        from email.mime.text import MIMEText
        from email.utils import format_datetime, localtime

        sender, charset = self._settings.mail_from or "", Charset("utf-8")
        charset.body_encoding = QP
        message = MIMEText(text, "plain", charset)  # type: ignore[arg-type]
        message["From"] = f"Stowboard <{sender}>"
        message["To"] = to
        message["Subject"] = in_header(subject)  # type: ignore[assignment]
        message["Date"] = format_datetime(localtime())
        message["Message-ID"] = f"<{message_id}@{sender.rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        return message

    async def send(self, message: "MIMEText") -> None:
        """Raises MailDelayed or MailRefused."""
        import smtplib

        assert self._relay is not None
        if not is_mail_address(str(message["To"])):
            raise MailRefused("This is not an address of one mailbox.")
        try:
            await asyncio.to_thread(_send, self._relay, self._settings.mail_from or "", message)
        except smtplib.SMTPResponseException as error:
            raise _refusal(error.smtp_code, error.smtp_error) from None
        except smtplib.SMTPRecipientsRefused as error:
            raise _refusal(*next(iter(error.recipients.values()))) from None
        except (smtplib.SMTPException, OSError) as error:
            raise MailDelayed(f"The relay cannot be reached: {type(error).__name__}.") from None


def in_header(text: str) -> "Header":
    """Text of people as a header's value: one line, in encoded words of ours unless it is short and plain."""
    from email.header import Header

    line = shown_line(" ".join(text.split()))
    is_plain = line.isascii() and "=?" not in line and len(line) <= _UNFOLDED
    return Header(line, "us-ascii" if is_plain else "utf-8", header_name="Subject")


def _send(relay: Relay, sender: str, message: "MIMEText") -> None:
    context = ssl.create_default_context() if relay.tls != "none" else None
    with _connected(relay, context) as smtp:
        if relay.tls == "starttls":
            smtp.starttls(context=context)
        if relay.user is not None:
            smtp.login(relay.user, relay.password or "")
        smtp.sendmail(sender, [str(message["To"])], message.as_bytes().replace(b"\n", b"\r\n"))


def _connected(relay: Relay, context: ssl.SSLContext | None) -> "smtplib.SMTP":
    import smtplib

    if relay.tls == "tls":
        return smtplib.SMTP_SSL(relay.host, relay.port, timeout=SECONDS, context=context)
    return smtplib.SMTP(relay.host, relay.port, timeout=SECONDS)


def _refusal(code: int, text: bytes | str) -> Exception:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    kind = MailRefused if 500 <= code < 600 else MailDelayed
    return kind(f"The relay said {code} {words[:200]}")
