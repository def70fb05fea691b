"""How mail leaves the service: a port, which the part that knows SMTP fills."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Letter:
    """Plain text to one address."""

    to: str
    subject: str
    text: str


class Mailer(Protocol):
    @property
    def is_set_up(self) -> bool:
        """Whether a letter would be sent at all."""

    async def send(self, letter: Letter) -> None:
        """Hand it to the mail server. Raises if that refuses or is away; a job tries again."""


class NoMailer:
    """Where no mail server is named: links are shown to the admin who makes them."""

    is_set_up = False

    async def send(self, letter: Letter) -> None:
        raise RuntimeError(f"no mail server is set up; {letter.subject!r} was not sent")
