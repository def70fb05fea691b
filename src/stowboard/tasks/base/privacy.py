"""Access to bodies. The server takes no plaintext for a zero-knowledge task, from anyone."""

import msgspec

from stowboard.core.caller import Caller, TokenKind
from stowboard.core.errors import ValidationFailed
from stowboard.core.reach import is_shared
from stowboard.tasks.base.errors import ZeroKnowledgeBody
from stowboard.tasks.base.task import Task


def sees_envelopes(caller: Caller) -> bool:
    """True if it is a person's own client, which has the keys."""
    return caller.kind is TokenKind.INTERACTIVE


def checked_bodies(caller: Caller, before: Task | None, after: Task) -> Task:
    """The task with the body that its visibility allows. Raises ZeroKnowledgeBody, or ValidationFailed."""
    sealed_before = before.encrypted_body if before is not None else None
    if after.encrypted_body != sealed_before and not sees_envelopes(caller):
        raise ZeroKnowledgeBody
    if after.zero_knowledge:
        if is_shared(after.owner):
            raise ValidationFailed("visibility: zero-knowledge tasks are only in a person's own space.")
        if after.body is not None:
            raise ZeroKnowledgeBody
        return after
    if sealed_before is not None and not sees_envelopes(caller):
        raise ZeroKnowledgeBody  # it would destroy what only its owner can read
    if after.encrypted_body is not None and after.encrypted_body != sealed_before:
        raise ValidationFailed("encryptedBody: only a zero-knowledge task has one; set visibility as well.")
    return after if after.encrypted_body is None else msgspec.structs.replace(after, encrypted_body=None)
