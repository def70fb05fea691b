"""Optional optimistic locking: `If-Match` names the version that a change was made for."""

from stowboard.core.errors import PreconditionFailed


def check_if_match(if_match: str | None, etag: str) -> None:
    """Raises PreconditionFailed if the header names only other versions than `etag`, which is in its quotes."""
    if if_match is None or if_match.strip() == "*":
        return
    if etag not in {entry.strip() for entry in if_match.split(",")}:
        raise PreconditionFailed
