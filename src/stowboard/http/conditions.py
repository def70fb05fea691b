"""The conditional headers If-Match and If-None-Match (RFC 9110, 13.1)."""

from stowboard.core.preconditions import uncoded_etag


def names_it(tags: str | None, etag: str) -> bool:
    """True if If-None-Match names this entity tag, which is in its quotes; weak ones count too."""
    return named_tag(tags, etag) is not None


def named_tag(tags: str | None, etag: str) -> str | None:
    """The entity tag as If-None-Match names it. If the client has a compressed answer, it is the tag of that."""
    if tags is None:
        return None
    known = [tag.strip().removeprefix("W/") for tag in tags.split(",")]
    same = next((tag for tag in known if uncoded_etag(tag) == etag), None)
    return same or (etag if "*" in known else None)


def allows_it(tags: str, etag: str) -> bool:
    """True if If-Match names it: weak ones do not count."""
    known = [uncoded_etag(tag.strip()) for tag in tags.split(",")]
    return etag in known or "*" in known
