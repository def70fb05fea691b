"""Forward events to an address of yours as they happen: stow webhook listen --forward-to http://localhost:3000/hook

Each is sent as a webhook would send it, signed as Standard Webhooks say with the secret that is shown, so that your
receiver needs no public address while you write it.
"""

import base64
import hashlib
import hmac
import secrets
import time
from argparse import ArgumentParser, Namespace

import httpx2
import msgspec

from stowboard_cli.exits import USAGE, CommandFailure
from stowboard_cli.stow import Stow
from stowboard_client import Event

_PREFIX = "whsec_"


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--forward-to", required=True, metavar="URL")
    parser.add_argument("--types", metavar="A,B", default="", help="only these, such as task.completed or media.*")
    parser.add_argument("--secret", help="whsec_ and base64; by default a new one is made")
    parser.add_argument("--limit", type=int, metavar="N", help="end after N events")


def run(stow: Stow, given: Namespace) -> None:
    secret = given.secret or _PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()
    key = _key(secret)
    stow.say(f"Forwarding to {given.forward_to}. The secret is {secret}")
    types = [name for name in given.types.split(",") if name]
    with httpx2.Client(timeout=30) as http:
        for number, event in enumerate(stow.client.events.follow(types=types), 1):
            outcome = _forward(http, given.forward_to, key, event)
            stow.list([{"event": event.id, "type": event.type, "answer": outcome}], ["type", "event", "answer"])
            if number == given.limit:
                return


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except ValueError:
        raise CommandFailure(USAGE, "--secret has to be whsec_ and base64.") from None


def _forward(http: httpx2.Client, url: str, key: bytes, event: Event) -> str:
    """The status of the answer, or the reason why none came. Nothing is sent twice."""
    body, sent_at = msgspec.json.encode(event), str(int(time.time()))
    signed = b".".join((event.id.encode(), sent_at.encode(), body))
    signature = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    headers = {
        "content-type": "application/json", "webhook-id": event.id, "webhook-timestamp": sent_at,
        "webhook-signature": f"v1,{signature}",
    }  # fmt: skip
    try:
        return str(http.post(url, content=body, headers=headers).status_code)
    except httpx2.RequestError as error:
        return f"{type(error).__name__}: {error}"
