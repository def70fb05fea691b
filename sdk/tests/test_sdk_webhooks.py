"""Webhooks in the client, and what a receiver accepts."""

import time
from datetime import UTC, datetime

import pytest
from both_faces import Face, settled
from scripted_server import ScriptedServer, data
from standardwebhooks import Webhook as Oracle

from stowboard_client import IssuedWebhook, WebhookInvalid, verify

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = (
    b'{"id":"evt_1","type":"task.completed","timestamp":"2026-11-15T16:00:00.000Z","sequence":1,"subject":"tsk_1",'
    b'"data":{"taskId":"tsk_1"},"memberOfTheFuture":1}'
)
WEBHOOK = {
    "id": "whk_1", "url": "https://a.example", "types": ["task.*"], "name": "", "include": None, "enabled": True,
    "disabledReason": None, "failingSince": None, "oldSecretUntil": None, "createdAt": 1, "updatedAt": 1,
}  # fmt: skip


def headers(secret: str = SECRET, body: bytes = BODY, at: float | None = None) -> dict[str, str]:
    """As the package that everybody uses signs them."""
    moment = datetime.fromtimestamp(time.time() if at is None else at, UTC)
    signature = Oracle(secret).sign("evt_1", moment, body.decode())
    return {
        "Webhook-Id": "evt_1", "Webhook-Timestamp": str(int(moment.timestamp())), "Webhook-Signature": signature
    }  # fmt: skip


def test_what_is_signed_is_an_event() -> None:
    event = verify(SECRET, headers(), BODY)
    assert (event.id, event.type, event.data, event.resource) == ("evt_1", "task.completed", {"taskId": "tsk_1"}, None)


def test_one_of_several_signatures_is_enough() -> None:
    signed = headers()
    signed["Webhook-Signature"] = f"v1,bm8= v2,x {signed['Webhook-Signature']}"
    assert verify(SECRET, signed, BODY).id == "evt_1"


#: From when the tests are collected, which may be long before they run.
DAY = 86_400


@pytest.mark.parametrize(
    ("signed", "body"),
    [
        (headers(), BODY + b" "), (headers("whsec_AAAA"), BODY), (headers(at=time.time() - DAY), BODY),
        (headers(at=time.time() + DAY), BODY), ({}, BODY), ({**headers(), "Webhook-Id": "evt_2"}, BODY),
        ({**headers(), "Webhook-Timestamp": "now"}, BODY), ({**headers(), "Webhook-Signature": "ünsinn"}, BODY),
        ({**headers(), "Webhook-Timestamp": "9" * 400}, BODY), ({**headers(), "Webhook-Timestamp": "9" * 5000}, BODY),
        (headers(body=b"[]"), b"[]"),
    ],
)  # fmt: skip
def test_anything_else_is_refused(signed: dict[str, str], body: bytes) -> None:
    with pytest.raises(WebhookInvalid):
        verify(SECRET, signed, body)


async def test_a_webhook_comes_back_typed_and_only_what_was_given_is_sent(face: Face, server: ScriptedServer) -> None:
    server.will(data({**WEBHOOK, "secret": SECRET}, status=201))
    webhook = await settled(face.client().webhooks.create("https://a.example", ["task.*"]))
    assert isinstance(webhook, IssuedWebhook)
    assert (webhook.secret, webhook.types) == (SECRET, ("task.*",))
    assert server.seen[0].json == {"url": "https://a.example", "types": ["task.*"]}
