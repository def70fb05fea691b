"""Types that webhooks and channels share on the wire."""

from typing import Annotated

from msgspec import Meta

from stowboard.core.plain_text import CONTROLS
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.http.outgoing.target import LONGEST_URL

DestinationUrl = Annotated[
    str,
    Meta(
        min_length=1, max_length=LONGEST_URL, description="https, leading to a public address.",
        extra_json_schema={"format": "uri"},
    ),
]  # fmt: skip
DestinationName = Annotated[
    str,
    Meta(
        max_length=200, pattern=f"^[^{CONTROLS}]*{TEXT_END}", description="A note to recognise it by.",
        extra={EXPECTED: "at most 200 printable characters"},
    ),
]  # fmt: skip
