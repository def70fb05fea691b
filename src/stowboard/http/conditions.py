"""Conditions that a request makes about what the client has (RFC 9110, 13.1)."""


def names_it(tags: str | None, etag: str) -> bool:
    """Whether If-None-Match names this entity tag, which is in its quotes; weak ones count too."""
    if tags is None:
        return False
    known = [tag.strip().removeprefix("W/") for tag in tags.split(",")]
    return etag in known or "*" in known


def allows_it(tags: str, etag: str) -> bool:
    """Whether If-Match does: weak ones do not count."""
    known = [tag.strip() for tag in tags.split(",")]
    return etag in known or "*" in known
