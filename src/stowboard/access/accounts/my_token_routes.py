"""Tokens that people make for their scripts: with some of their own scopes, for ninety days by default."""

from typing import Annotated

import msgspec

from stowboard.access import endings, tokens
from stowboard.access.accounts.person import get_person_themselves, get_present_person
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base.errors import AccountRequired, StepUpRequired
from stowboard.access.owners import Owners
from stowboard.access.token_routes import TOKEN_EXAMPLE, TokenView, TokenWithSecret, issue
from stowboard.access.tokens import NewToken
from stowboard.api.endpoint import Answer, Call, DeletedWithEnded, Endpoint, PageMeta, view_of
from stowboard.api.paging import Page, PageQuery
from stowboard.core.errors import InsufficientScope
from stowboard.core.scopes import ADMIN, ScopeName, Scopes
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.db.database import Tx
from stowboard.events import audit

DEFAULT_SECONDS = 90 * 24 * 3600


class MyTokenBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A token of one's own: its name, scopes and lifetime."""

    name: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=200,
            pattern=f"^{tokens.NAME.pattern}{TEXT_END}",
            description="A note to recognise it by.",
            extra={EXPECTED: f"1 character or more, {tokens.NAME_IN_WORDS}"},
        ),
    ]
    scopes: (
        Annotated[
            list[ScopeName],
            msgspec.Meta(
                max_length=20,
                description="At most your own; default: those that you have now, but `admin` and `spaces:manage`.",
            ),
        ]
        | None
    ) = None
    expires_in: (
        Annotated[int, msgspec.Meta(ge=1, le=tokens.MAX_LIFETIME_SECONDS, description="Seconds; default: 90 days.")]
        | None
    ) = None
    spaces: tokens.TokenSpaces | None = None


async def create_my_token(tx: Tx, call: Call[MyTokenBody, None]) -> TokenWithSecret:
    """Make a token of one's own, for a program. It is shown this once.

    It acts as its person, with at most the scopes of the token that makes it, and is an automation token: it never
    sees zero-knowledge bodies. Needs a fresh proof of identity.
    """
    person, body = await get_present_person(tx, call.caller), call.body
    asked = call.use(Scopes).granted(body.scopes, admin=False, held=call.caller.scopes)
    beyond = [scope for scope in asked if scope not in call.caller.scopes]
    if beyond:
        raise InsufficientScope(f"A token of your own has at most your scopes; {beyond[0]} is not one of them now.")
    new = NewToken(
        owner=person.account.username,
        scopes=asked,
        name=body.name,
        expires_in=body.expires_in or DEFAULT_SECONDS,
        account_id=person.account.id,
        spaces=tokens.checked_spaces(call.caller, body.spaces),
    )
    return await issue(tx, call, person.actor, new, scopes=asked, admin=ADMIN in asked)


async def list_my_tokens(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the live tokens that one has made, newest first."""
    account_id = (await get_person_themselves(tx, call.caller)).account.id
    page = Page(call, "my tokens", account_id)
    listed = await tokens.list_of_account(tx, account_id, page.after, page.size)
    return page.answer([view_of(TokenView, each) for each in listed.items], listed.end)


async def revoke_my_token(tx: Tx, call: Call[None, None], token_id: str) -> DeletedWithEnded:
    """Revoke a token of one's own. It stops working in every process within a second.

    What was made with it ends too, and `ended` names it: webhooks, calendars, invitations, open uploads, signed URLs.
    """
    person = await get_person_themselves(tx, call.caller)
    ended = await endings.revoke_token(tx, call.use(Owners), token_id, person.account.id)
    await audit.record(tx, person.actor, "token.revoke", token_id)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return DeletedWithEnded(token_id, ended=ended)


ENDPOINTS = [
    Endpoint(
        "POST", "/access/me/tokens", create_my_token, TokenWithSecret, body=MyTokenBody, status=201, secret=True,
        errors=[AccountRequired, StepUpRequired, InsufficientScope],
        example_body={"name": "nightly report", "scopes": ["tasks:read"]}, example={**TOKEN_EXAMPLE, "token": "stow_…"},
    ),
    Endpoint(
        "GET", "/access/me/tokens", list_my_tokens, list[TokenView], query=PageQuery, meta=PageMeta,
        errors=[AccountRequired], example=[TOKEN_EXAMPLE],
    ),
    Endpoint(
        "DELETE", "/access/me/tokens/{token_id}", revoke_my_token, DeletedWithEnded, errors=[AccountRequired],
        example={"id": "tok_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True, "ended": {"webhooks": 1}},
    ),
]  # fmt: skip
