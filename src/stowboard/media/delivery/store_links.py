"""Links of the store for delivered files (`cdn_redirect`): which files, for how long, and who may keep them.

The store sends none of our headers, so only types that run nothing get a link. The choice depends on the file alone,
never on load: the store has entity tags of its own, and a download that began here has to go on here. A link cannot be
taken back before it ends.
"""

import msgspec

from stowboard.core import clock
from stowboard.media.base.disposition import is_inert
from stowboard.media.base.signed_urls import DeliveryGrant

#: A short file costs less to send than a redirect.
SMALLEST_LINKED = 256 * 1024


class StoreLink(msgspec.Struct, frozen=True):
    begins_at_s: int
    seconds: int
    #: Cache-Control of the redirect, and of the store's answer.
    redirect_caching: str
    caching: str


def store_link(
    size: int, mime_type: str, grant: DeliveryGrant | None, current: bool, longest_s: int
) -> StoreLink | None:
    """None if the service sends the file itself. `grant` is a signed URL's; `current` is False for an old edition."""
    if size < SMALLEST_LINKED or not is_inert(mime_type):
        return None
    now = clock.now_ms() // 1000
    if grant is not None:
        seconds = min(grant.seconds_left, longest_s)
        return StoreLink(now, seconds, "private, no-store", f"private, max-age={seconds}")
    # Links begin on a grid: caches see one address for half of its life, and keep the redirect for half of the rest.
    begins_at = now - now % (longest_s // 2)
    left = begins_at + longest_s - now
    redirect_caching = f"public, max-age={left // 2}" if current else "no-store"
    return StoreLink(begins_at, longest_s, redirect_caching, f"public, max-age={longest_s}, immutable")
