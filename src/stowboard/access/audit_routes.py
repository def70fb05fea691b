"""The audit log over the API, for admins."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta, view_of
from stowboard.api.paging import Page, PageQuery, given
from stowboard.core.clock import LATEST_MS
from stowboard.core.scopes import ADMIN
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import AuditFilter, Outcome


class AuditQuery(PageQuery, frozen=True):
    """Which entries to list; a filter that is left out takes all."""

    actor: Annotated[str, Meta(description="Who did it: a username or an owner.")] | UnsetType = UNSET
    action: Annotated[str, Meta(description="What was done, such as `token.create`.")] | UnsetType = UNSET
    subject: Annotated[str, Meta(description="What it was done to: an id or a name.")] | UnsetType = UNSET
    since: Annotated[int, Meta(ge=0, le=LATEST_MS, description="Not before.")] | UnsetType = UNSET
    until: Annotated[int, Meta(ge=0, le=LATEST_MS, description="Before.")] | UnsetType = UNSET


class AuditEntry(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An entry of the audit log: something that was done, or refused."""

    id: str
    action: str
    outcome: Outcome
    actor: str
    subject: str
    token_id: str | None
    address: str | None
    data: dict[str, Any]
    created_at: int


async def list_audit(tx: Tx, call: Call[None, AuditQuery]) -> Answer:
    """List what was done to accounts, tokens, clients and the installation, newest first."""
    query = call.query
    sought = AuditFilter(
        given(query.actor), given(query.action), given(query.subject), given(query.since), given(query.until)
    )
    page = Page(call, "audit", *msgspec.to_builtins(sought).values())
    listed = await audit.list_entries(tx, sought, page.after, page.size)
    return page.answer([view_of(AuditEntry, each) for each in listed.items], listed.end)


ENDPOINTS = [
    Endpoint(
        "GET", "/access/audit", list_audit, list[AuditEntry], scope=ADMIN, query=AuditQuery, meta=PageMeta,
        example=[{
            "id": "aud_01kbr2x4q8e9w6y3t7n5m1c0vz", "action": "session.begin", "outcome": "done", "actor": "alice",
            "subject": "ses_01kbr2x4q8e9w6y3t7n5m1c0vz", "tokenId": None, "address": "192.0.2.7",
            "data": {"method": "password"}, "createdAt": 1794700000000,
        }],
    ),
]  # fmt: skip
