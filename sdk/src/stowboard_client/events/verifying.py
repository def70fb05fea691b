"""Signatures of Standard Webhooks, as a receiver checks them."""

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from stowboard_client.errors import StowboardError
from stowboard_client.transport.decoding import decode

T = TypeVar("T")
_PREFIX = "whsec_"


class WebhookInvalid(StowboardError):
    """The request is not from the service, or too old. Answer it with 400 and do nothing else."""


def verify_payload(model: type[T], secret: str, headers: Mapping[str, str], body: bytes, tolerance: float) -> T:
    found = {name.lower(): text for name, text in headers.items()}
    try:
        message_id, sent_at = found["webhook-id"], found["webhook-timestamp"]
        signatures = found["webhook-signature"].split(" ")
    except KeyError as missing:
        raise WebhookInvalid(f"The header {missing.args[0]} is missing.") from None
    _check_time(sent_at, tolerance)
    expected = _signature(secret, b".".join((message_id.encode(), sent_at.encode(), body)))
    if not any(hmac.compare_digest(expected, each.encode("utf-8", "replace")) for each in signatures):
        raise WebhookInvalid("No signature fits the secret and the body as it came.")
    try:
        return decode(body, model)
    except msgspec.MsgspecError as error:
        raise WebhookInvalid(f"The body is not an event: {error}") from error


def _check_time(sent_at: str, tolerance: float) -> None:
    """Refuses an old message, so that a recorded one cannot be sent again later."""
    # int() refuses a text of thousands of digits, and a float cannot hold a number of hundreds.
    if not (sent_at.isascii() and sent_at.isdecimal() and len(sent_at) < 20):
        raise WebhookInvalid("webhook-timestamp is not a number.")
    if abs(time.time() - int(sent_at)) > tolerance:
        raise WebhookInvalid(f"It was sent more than {tolerance:g} seconds ago, or the clocks differ.")


def _signature(secret: str, signed: bytes) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("A webhook's secret is whsec_ and base64.") from None
    return b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
