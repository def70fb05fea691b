"""How urgent a task is: `!1`, `!2`, `!3`, as the API counts, so that `!3` is the most urgent.

Any other number stays in the title. It is a sign of its own and no word: `dec !2` is not the second of December.
"""

import re

_PRIORITY = re.compile(r"!([1-3])[.,;:?)]*")


def read_priority(text: str) -> str | None:
    found = _PRIORITY.fullmatch(text)
    return found[1] if found else None
