"""Writes that may be retried: the first answer under a key is kept for a day and given again.

Claim, effect and answer commit in one transaction, so a crash leaves all of them or none, and the unique key is the
only arbiter: a duplicate that runs at the same time waits for the first one's commit and then sees its answer. The key
is stored as a digest. An answer with a secret in it, or with words that may have to be forgotten, is sealed. To derive
the key of the seal takes both the Idempotency-Key and the server's own key, so no copy of the database gives the answer
away. Text that has to be forgotten is left out of later replays; to overwrite the row is not enough, since a database
leaves old bytes behind when it splits a page.
"""

import hashlib
import hmac
import re
from collections.abc import Callable

import msgspec

from stowboard.api.endpoint import AnyEndpoint
from stowboard.api.outline import LONGEST, outline_of
from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.core.errors import IdempotencyInProgress, IdempotencyKeyInvalid, IdempotencyKeyReused
from stowboard.core.reach import DEFAULT_SPACES
from stowboard.core.sealing import decrypted, encrypted
from stowboard.core.signing import DigestKey
from stowboard.db.database import LockTimeout, Tx
from stowboard.db.table import forget_old
from stowboard.http.exchange import Sink
from stowboard.jobs.schedule import sweep

WINDOW_MS = 24 * 3600 * 1000
#: The bytes of replies that one scope keeps; the oldest are forgotten first.
MOST_KEPT = 64 * 1024 * 1024
#: Of 256 keys: with so many of them the sum is looked at, since that reads an index of all that the scope keeps.
_LOOKED_AT = 2
_BARE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?")
_QUOTED = re.compile(r'"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"')
#: The subject of an answer about several resources.
_SEVERAL = "*"


class Reply(msgspec.Struct, frozen=True):
    """An answer as it is sent; this is what is kept and what a replay gives again."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    #: The resource that it is about, if its text may have to be forgotten.
    subject: str | None = None
    #: The same for several resources.
    subjects: tuple[str, ...] = ()
    #: The body is an outline: what it names is to be shown as it is now.
    outline: bool = False
    #: Writes the body of a streamed answer, which is never kept.
    begin: Callable[[Sink], None] | None = None


class IdempotencyClaim(msgspec.Struct, frozen=True):
    """One request under one key of one caller."""

    scope: str
    key_digest: bytes
    fingerprint: bytes
    sealing_key: bytes
    endpoint: AnyEndpoint


def make_claim(
    digest_key: DigestKey,
    caller: Caller,
    key: str,
    endpoint: AnyEndpoint,
    parameters: list[str],
    query: str,
    body: bytes,
) -> IdempotencyClaim:
    """The claim that a request makes by its Idempotency-Key, which is as it was sent. Raises IdempotencyKeyInvalid."""
    value = _unquoted(key)
    # A token with fewer spaces must not get the answer of another one. The token's own words for its spaces count, not
    # the spaces that they reach now: otherwise joining a space before a retry would repeat the effect.
    words = () if caller.reach.words == DEFAULT_SPACES else caller.reach.words
    scope = msgspec.json.encode((caller.owner, caller.namespace, caller.admin, caller.kind, *words)).decode()
    sealing_key = _keyed(digest_key, "seal", scope.encode() + b"\0" + value.encode())
    fingerprint = _fingerprint(endpoint, parameters, query, body)
    if endpoint.secret:  # a body may hold a password, which could be guessed from a plain digest of it
        fingerprint = hmac.digest(sealing_key, fingerprint, hashlib.sha256)
    return IdempotencyClaim(
        scope=scope,
        key_digest=_keyed(digest_key, "key", value.encode()),
        fingerprint=fingerprint,
        sealing_key=sealing_key,
        endpoint=endpoint,
    )


def check_key(key: str) -> None:
    """Raises IdempotencyKeyInvalid."""
    _unquoted(key)


async def take_claim(tx: Tx, claim: IdempotencyClaim) -> Reply | None:
    """Claim the key for this transaction, or give the reply that is kept under it.

    Raises IdempotencyKeyReused if the key was used for another request, IdempotencyInProgress if the first one is
    still running after the wait that the database allows.
    """
    now = clock.now_ms()
    try:
        claimed = await tx.run(
            "INSERT INTO idempotency (scope, key_digest, fingerprint, expires_at) VALUES ($1, $2, $3, $4)"
            " ON CONFLICT (scope, key_digest) DO UPDATE SET fingerprint = $3, expires_at = $4, status = NULL,"
            " subject = NULL, redacted = 0, size = 0, outline = 0"
            " WHERE idempotency.expires_at <= $5",
            claim.scope, claim.key_digest, claim.fingerprint, now + WINDOW_MS, now,
        )  # fmt: skip
    except LockTimeout:
        raise IdempotencyInProgress from None
    return None if claimed else await find_reply(tx, claim)


async def find_reply(tx: Tx, claim: IdempotencyClaim) -> Reply | None:
    """The reply that is kept under the key. Raises IdempotencyKeyReused if it answered another request."""
    row = await tx.one(
        "SELECT fingerprint, status, headers, body, subject, redacted, outline FROM idempotency"
        " WHERE scope = $1 AND key_digest = $2 AND expires_at > $3",
        claim.scope, claim.key_digest, clock.now_ms(),
    )  # fmt: skip
    if row is None:
        return None
    fingerprint, status, headers, body, subject, redacted, outline = row
    if fingerprint != claim.fingerprint:
        raise IdempotencyKeyReused
    if _is_sealed(claim, status, subject):
        body = decrypted(claim.sealing_key, body)
    if redacted and claim.endpoint.redact is not None:
        body = claim.endpoint.redact(body)
    return Reply(status, msgspec.json.decode(headers, type=tuple[tuple[str, str], ...]), body, outline=bool(outline))


async def keep_reply(tx: Tx, claim: IdempotencyClaim, reply: Reply) -> None:
    if len(reply.body) > LONGEST and claim.endpoint.show_again is not None and reply.status < 300:
        reply = _outlined(reply)
    body, subject = reply.body, _SEVERAL if reply.subjects else reply.subject
    if _is_sealed(claim, reply.status, subject):
        body = encrypted(claim.sealing_key, body)
    await tx.run(
        "UPDATE idempotency SET status = $3, headers = $4, body = $5, subject = $6, size = $7, outline = $8"
        " WHERE scope = $1 AND key_digest = $2",
        claim.scope, claim.key_digest, reply.status, msgspec.json.encode(reply.headers), body, subject, len(body),
        int(reply.outline),
    )  # fmt: skip
    if len(body) > LONGEST // 2 or claim.key_digest[0] < _LOOKED_AT:
        await _forget_beyond(tx, claim.scope)
    if reply.subjects:
        await tx.run_many(
            "INSERT INTO idempotency_subject (scope, key_digest, subject) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            [(claim.scope, claim.key_digest, each) for each in reply.subjects],
        )


def _outlined(reply: Reply) -> Reply:
    """The reply with ids in place of things: it has no text to seal or forget, and no version for an ETag."""
    subjects = reply.subjects or (reply.subject or "",)
    headers = tuple(each for each in reply.headers if each[0] != "etag")
    return Reply(reply.status, headers, outline_of(reply.body, subjects), outline=True)


async def _forget_beyond(tx: Tx, scope: str) -> None:
    """Forget the oldest replies of a scope that are more than it may keep."""
    row = await tx.one(
        "SELECT max(expires_at) FROM (SELECT expires_at, sum(size) OVER (ORDER BY expires_at DESC) AS total"
        " FROM idempotency WHERE scope = $1) AS kept WHERE total > $2",
        scope, MOST_KEPT,
    )  # fmt: skip
    if row is not None and row[0] is not None:
        await tx.run("DELETE FROM idempotency WHERE scope = $1 AND expires_at <= $2", scope, row[0])


async def redact_replies(tx: Tx, subject: str) -> None:
    """From now on a replay about this resource leaves out what its endpoint's `redact` takes away."""
    await tx.run("UPDATE idempotency SET redacted = 1 WHERE subject = $1", subject)
    await tx.run(
        "UPDATE idempotency SET redacted = 1 WHERE (scope, key_digest) IN"
        " (SELECT scope, key_digest FROM idempotency_subject WHERE subject = $1)",
        subject,
    )


forget_replies = forget_old("idempotency", "scope, key_digest")


def _is_sealed(claim: IdempotencyClaim, status: int, subject: str | None) -> bool:
    return subject is not None or (claim.endpoint.secret and status < 300)


def _unquoted(header: str) -> str:
    """The key itself: the structured string of the standard and the bare form of most clients are the same key."""
    quoted = _QUOTED.fullmatch(header)
    value = re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else header
    if len(value) > 255 or (not quoted and (header.startswith('"') or not _BARE.fullmatch(header))):
        raise IdempotencyKeyInvalid
    return value


def _fingerprint(endpoint: AnyEndpoint, parameters: list[str], query: str, body: bytes) -> bytes:
    path = endpoint.alias_of or endpoint.path
    address = msgspec.json.encode((endpoint.method, path, parameters, sorted(query.split("&"))))
    content = (body or b"{}") if endpoint.body else b""
    return hashlib.sha256(address + content).digest()


def _keyed(key: DigestKey, purpose: str, message: bytes) -> bytes:
    return hmac.digest(key, b"idempotency " + purpose.encode() + b"\0" + message, hashlib.sha256)


PERIODICS = [sweep("platform.sweep_replies", 60_000, forget_replies)]
