"""A real SMTP relay that answers as a test says, and keeps what it took."""

import asyncio
import re
import threading
from collections.abc import Callable
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from types import TracebackType
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from support.servers.ports import free_port

TAKEN = "250 OK"


def subject_in(raw: bytes) -> str:
    """The subject of a message, decoded once, as a reader shows it."""
    (header,) = re.findall(rb"^Subject:((?:.|\r?\n[ \t])*)\r?$", raw.partition(b"\r\n\r\n")[0], re.MULTILINE)
    return str(make_header(decode_header(header.decode("ascii").replace("\r", "")))).strip()


class MailRelay:
    """`answer` is asked for each message whole, in the relay's own thread."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        #: The same messages as they came.
        self.raw: list[bytes] = []
        self.offered = 0
        self.answer: Callable[[], str] = lambda: TAKEN
        self._lock = threading.Lock()
        self.port = free_port()
        self.url = f"smtp://127.0.0.1:{self.port}?tls=none"
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port, ready_timeout=120)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = await asyncio.to_thread(self._judge)
        if answer.startswith("2"):
            content: Any = envelope.content
            with self._lock:
                self.raw.append(content)
                self.taken.append(message_from_bytes(content, policy=policy.default))
        return answer

    def ids(self) -> list[str]:
        """The events that the messages are about."""
        return [str(message["Message-ID"]).strip("<>").partition("@")[0] for message in self.taken]

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._controller.stop()

    def _judge(self) -> str:
        with self._lock:
            self.offered += 1
        return self.answer()
