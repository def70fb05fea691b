"""An address of one mailbox, such as alice@example.com: the one check of it, wherever people or operators give one.

Only a letter shows whether the address exists. This takes what every relay and every header takes: ASCII without
quotes, comments or lists, and a domain in its ASCII form (xn--…).
"""

import re
from typing import Annotated

from msgspec import Meta

from stowboard.core.wording import EXPECTED, TEXT_END

LONGEST = 254
_ATOM = r"[A-Za-z0-9!#$%&'*+/=^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_PATTERN = rf"(?=[^@]{{1,64}}@){_ATOM}(?:\.{_ATOM})*@(?:{_LABEL}\.)+(?![0-9]+$){_LABEL}"
WORDS = "an address such as alice@example.com"
MailAddress = Annotated[
    str, Meta(max_length=LONGEST, pattern=f"^{_PATTERN}{TEXT_END}", extra={EXPECTED: WORDS})
]  # fmt: skip
_COMPILED = re.compile(_PATTERN)


def is_mail_address(text: str) -> bool:
    return len(text) <= LONGEST and _COMPILED.fullmatch(text) is not None
