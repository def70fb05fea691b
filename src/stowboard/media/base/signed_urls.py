"""Signed URLs of assets: who may mint one, and how one is checked.

The signature covers the parsed values of the URL and not its text, so a second spelling gains nothing, and the name at
its end may be anything. Raising the epoch of the asset, or of its space, ends every signed URL at once, since
each request reads both. A URL names the token or the grant that it was minted with, and ends with that; one that a
browser minted names none.

Expiries lie on a grid, so that equal requests soon after each other get the same URL, and browsers use their cache.
"""

import base64
import binascii
import re
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.core.signing import Keyring
from stowboard.db.database import Tx
from stowboard.db.made import made_with_living
from stowboard.media.base.asset import Asset
from stowboard.media.base.disposition import Disposition
from stowboard.media.base.errors import NamespaceNotAllowed, SignatureExpired, SignatureInvalid

SHORTEST_SECONDS = 60
LONGEST_SECONDS = 604_800
_PURPOSE = "media-url"
_VERSION = 1
_SHORTEST_CELL = 60
_CELLS = 12
_EXPIRY = re.compile(r"[1-9][0-9]{0,11}")
_REQUIRED, _OPTIONAL = {"exp", "kid", "sig"}, {"d", "by"}


class SignedQuery(NamedTuple):
    text: str
    #: Seconds since the epoch.
    expires_at: int


class DeliveryGrant(NamedTuple):
    """The rights that a valid signature gives."""

    seconds_left: int
    disposition: Disposition | None = None
    #: The grant, OAuth client or token that it was minted with, and ends with.
    through: str = ""


def may_mint(caller: Caller, asset: Asset) -> bool:
    allowed = asset.allowed_namespaces
    return caller.admin or allowed is None or caller.namespace in allowed


def require_minting(caller: Caller, asset: Asset) -> None:
    """Raises NamespaceNotAllowed."""
    if not may_mint(caller, asset):
        raise NamespaceNotAllowed


async def is_living(tx: Tx, through: str) -> bool:
    """False if what a URL was minted with has ended."""
    return await tx.one(f"SELECT 1 WHERE {made_with_living('$1')}", through) is not None


def ends_signed_urls(before: Asset, after: Asset) -> bool:
    """True if a change must end the URLs that were minted, since nobody knows who minted them under which rule."""
    old, new = before.allowed_namespaces, after.allowed_namespaces
    narrower = new is not None and (old is None or not set(old) <= set(new))
    return narrower or before.visibility is not after.visibility


def expiry_on_grid(seconds: int, cells: int = _CELLS) -> int:
    """The expiry in seconds since the epoch, rounded up to a grid: up to a twelfth later with the usual cells."""
    cell = max(_SHORTEST_CELL, seconds // cells)
    return -(-(clock.now_ms() // 1000 + seconds) // cell) * cell


def sign(
    keyring: Keyring,
    asset: Asset,
    space_epoch: int,
    transform_class: str,
    disposition: Disposition | None,
    seconds: int,
    cells: int = _CELLS,
    through: str = "",
) -> SignedQuery:
    """The query that signs a delivery URL of this asset and class.

    Its life is cut into `cells` parts, and it stays the same during each: with fewer parts, caches are used longer.
    """
    expires_at = expiry_on_grid(seconds, cells)
    message = _signed(asset, space_epoch, transform_class, disposition, expires_at, through)
    key_id, signature = keyring.sign(_PURPOSE, message)
    query = {"exp": str(expires_at), "kid": key_id, "sig": _text(signature), "d": disposition, "by": through}
    return SignedQuery(urlencode({name: value for name, value in query.items() if value}), expires_at)


def check(keyring: Keyring, asset: Asset, space_epoch: int, transform_class: str, query: str) -> DeliveryGrant:
    """The rights that this query gives to the asset and class. Raises SignatureInvalid or SignatureExpired."""
    values = _parameters(query)
    if not _EXPIRY.fullmatch(values["exp"]) or values.get("d") not in (None, *Disposition):
        raise SignatureInvalid
    expires_at, disposition = int(values["exp"]), Disposition(values["d"]) if "d" in values else None
    through = values.get("by", "")
    message = _signed(asset, space_epoch, transform_class, disposition, expires_at, through)
    if not keyring.verifies(_PURPOSE, values["kid"], message, _bytes(values["sig"])):
        raise SignatureInvalid
    left = expires_at - clock.now_ms() // 1000
    if left <= 0:
        raise SignatureExpired
    return DeliveryGrant(left, disposition, through)


def _parameters(query: str) -> dict[str, str]:
    """The parameters by name. Raises SignatureInvalid for an unknown one and for one given twice."""
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=5)
    except ValueError:
        raise SignatureInvalid from None
    values = dict(pairs)
    if len(values) != len(pairs) or not _REQUIRED <= values.keys() <= _REQUIRED | _OPTIONAL:
        raise SignatureInvalid
    return values


def _signed(
    asset: Asset,
    space_epoch: int,
    transform_class: str,
    disposition: Disposition | None,
    expires_at: int,
    through: str,
) -> bytes:
    values = asset.id, asset.epoch, space_epoch, transform_class, disposition, expires_at, through
    return msgspec.json.encode((_VERSION, *values))


def _bytes(text: str) -> bytes:
    try:
        signature = base64.b64decode(text + "=", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise SignatureInvalid from None
    if _text(signature) != text:  # two bits of the last character mean nothing: only one spelling counts
        raise SignatureInvalid
    return signature


def _text(signature: bytes) -> str:
    return base64.urlsafe_b64encode(signature).rstrip(b"=").decode()
