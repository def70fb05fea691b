"""What no schema can say about a valid request, and schemathesis has to be told."""

from itertools import count
from typing import Any

import schemathesis

_numbers = count()


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # A cursor is signed: none that was made up is valid.
    if case.query:
        case.query.pop("cursor", None)
    # A key may not be used twice for different requests.
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"run-{next(_numbers)}"
