"""The server's part in WebAuthn: options for the browser, and checks of its authenticator's answers.

The library that checks takes 25 MB, so it is loaded with the first answer. It parses what strangers send: whatever it
raises is translated here.
"""

import asyncio
import base64
import ipaddress
import struct
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from stowboard.access.base.account import Account
from stowboard.access.base.errors import InvalidPasskey, PasskeysUnavailable
from stowboard.access.base.passkey_store import NewPasskey, Passkey

T = TypeVar("T")
TIMEOUT_MS = 300_000
_EDDSA, _ES256, _RS256 = -8, -7, -257
# Errors of the parsers below the library: of CBOR, DER, keys and certificates.
_PARSING = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, struct.error)


class RelyingParty(msgspec.Struct, frozen=True):
    """This service, as authenticators know it."""

    id: str
    origin: str


def relying_party(origin: str) -> RelyingParty:
    """Raises PasskeysUnavailable."""
    reason = why_unavailable(origin)
    if reason is not None:
        raise PasskeysUnavailable(reason)
    return RelyingParty(urlsplit(origin).hostname or "", origin)


def why_unavailable(origin: str) -> str | None:
    """The reason why browsers offer no passkeys here; None if they do."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    if _is_address(host):
        return "Passkeys need a host name, and this page was opened by an address."
    if parts.scheme != "https" and host != "localhost" and not host.endswith(".localhost"):
        return "Passkeys need https, and this page came over plain http."
    return None


def creation_options(
    party: RelyingParty, account: Account, handle: bytes, known: list[Passkey], challenge: bytes
) -> dict[str, Any]:
    """For `PublicKeyCredential.parseCreationOptionsFromJSON`."""
    return {
        "rp": {"id": party.id, "name": "Stowboard"},
        "user": {"id": write_base64url(handle), "name": account.username, "displayName": account.display_name},
        "challenge": write_base64url(challenge),
        "pubKeyCredParams": [{"type": "public-key", "alg": alg} for alg in (_EDDSA, _ES256, _RS256)],
        "timeout": TIMEOUT_MS,
        "excludeCredentials": [{"type": "public-key", "id": write_base64url(each.credential)} for each in known],
        "authenticatorSelection": {
            "residentKey": "required", "requireResidentKey": True, "userVerification": "required",
        },
        "attestation": "none",
    }  # fmt: skip


def request_options(party: RelyingParty, challenge: bytes) -> dict[str, Any]:
    """For `PublicKeyCredential.parseRequestOptionsFromJSON`. It names no passkey, so it reveals no account."""
    return {
        "challenge": write_base64url(challenge),
        "timeout": TIMEOUT_MS,
        "rpId": party.id,
        "allowCredentials": [],
        "userVerification": "required",
    }


async def check_registration(party: RelyingParty, challenge: bytes, answer: dict[str, Any]) -> NewPasskey:
    """Raises InvalidPasskey."""

    def check() -> NewPasskey:
        from webauthn import verify_registration_response

        made = verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
        )
        return NewPasskey(made.credential_id, made.credential_public_key, made.sign_count, party.id)

    return await asyncio.to_thread(_translated, check)


async def check_assertion(
    party: RelyingParty, challenge: bytes, passkey: Passkey, handle: bytes, answer: dict[str, Any]
) -> int:
    """The passkey's count of uses. `handle` is that of its account. Raises InvalidPasskey."""

    def check() -> int:
        from webauthn import verify_authentication_response

        if read_base64url(answer["response"].get("userHandle")) != handle:
            raise InvalidPasskey
        checked = verify_authentication_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=passkey.public_key,
            # The library would also refuse a count that stands still; only a falling one means that there is a copy.
            credential_current_sign_count=0,
            require_user_verification=True,
        )
        return checked.new_sign_count

    return await asyncio.to_thread(_translated, check)


def write_base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def read_base64url(text: Any) -> bytes:
    """Empty if it is not base64url."""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, TypeError):
        return b""


def _translated(check: Callable[[], T]) -> T:
    from cryptography.exceptions import UnsupportedAlgorithm
    from OpenSSL.crypto import Error as CertificateError
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return check()
    except (WebAuthnException, UnsupportedAlgorithm, CertificateError, *_PARSING):
        raise InvalidPasskey from None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
