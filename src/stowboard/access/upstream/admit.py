"""Signing in people who come back from the provider: with an account, by a link of ours, or as somebody new.

Only issuer and subject say who somebody is. A name or an e-mail of the provider's never leads to an account that is
there already: whoever could choose it would get that account.
"""

from stowboard.access.accounts import changes, redeem
from stowboard.access.accounts.names import check_fresh
from stowboard.access.accounts.redeem import AccountChoice, LinkDesk
from stowboard.access.base import account_store, identity_store, session_store, tickets
from stowboard.access.base.account import Account, AccountRole, NewAccount
from stowboard.access.base.errors import EmailTaken, InvalidTicket, LastAdmin, NameTaken
from stowboard.access.base.session import Device
from stowboard.access.base.tickets import TicketPurpose
from stowboard.access.owners import Owners
from stowboard.access.sessions.sign_in import NewSession, enter
from stowboard.access.settings import ProviderSettings
from stowboard.access.upstream.provider_person import NOT_PROVEN, ProviderPerson
from stowboard.access.upstream.refusal import ProviderRefusal
from stowboard.access.upstream.request_store import ProviderIntent, ProviderRequest
from stowboard.core.errors import ValidationFailed
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor

PROVIDER = "provider"
MOST_IDENTITIES = 10
_AGAIN = "Ask who invited you for a new link."


async def admit(
    tx: Tx, desk: LinkDesk, who: ProviderPerson, asked: ProviderRequest, device: Device, replaced: str | None
) -> NewSession:
    """Begin a session. The browser's earlier one, with the secret `replaced`, ends. Raises ProviderRefusal."""
    await tx.lock(f"identity {who.issuer} {who.subject}")
    known = await identity_store.find(tx, who.issuer, who.subject)
    if known is None:
        account = await _accept(tx, desk, who, asked, device) if asked.ticket else None
        account = account or await _sign_up(tx, desk.owners, desk.settings.provider, who, device)
        await link(tx, Actor(account.username, address=device.address), account, who)
    elif asked.intent == ProviderIntent.ACCEPT:
        raise ProviderRefusal(
            "known already", "You have an account here already. Sign in with it; the link stays unused.", 409
        )
    else:
        account = await _open_account(tx, known.account_id)
        await identity_store.note_use(tx, known)
    account = await _give_role(tx, desk.owners, account, who, device)
    # The provider's word is one factor: where two are on, a fresh proof needs a passkey, or password and code.
    proven_at = NOT_PROVEN if account.two_factor else who.proven_at
    return await enter(tx, desk.key, account, device, PROVIDER, replaced, proven_at)


async def link_to_session(
    tx: Tx, who: ProviderPerson, asked: ProviderRequest, session_id: str | None, device: Device
) -> None:
    """Connect the provider to the account that asked for it, in the same session. Raises ProviderRefusal."""
    await tx.lock(f"identity {who.issuer} {who.subject}")
    signed_in = await session_store.find_by_id(tx, asked.session_id or "")
    if signed_in is None or session_id != asked.session_id:
        raise ProviderRefusal("session", "You are not signed in any more. Sign in, then connect it again.", 401)
    account = await account_store.lock(tx, signed_in.account.id)
    known = await identity_store.find(tx, who.issuer, who.subject)
    if known is not None and known.account_id != account.id:
        raise ProviderRefusal("known already", "This belongs to another account here. Nothing was changed.", 409)
    if known is None:
        await link(tx, Actor(account.username, address=device.address), account, who)


async def link(tx: Tx, actor: Actor, account: Account, who: ProviderPerson) -> None:
    """Raises ProviderRefusal if the account has as many identities as it may."""
    if len(await identity_store.list_of(tx, account.id)) >= MOST_IDENTITIES:
        raise ProviderRefusal("too many", f"An account has at most {MOST_IDENTITIES} of these. Remove one first.", 409)
    identity = await identity_store.insert(tx, account.id, who.issuer, who.subject)
    await audit.record(tx, actor, "identity.create", identity.id, data={"issuer": who.issuer})


async def refuse(tx: Tx, intent: ProviderIntent | None, reason: ProviderRefusal, device: Device) -> None:
    """Record in the audit log that a sign-in was refused."""
    action = "identity.create" if intent == ProviderIntent.LINK else "session.begin"
    facts = {"method": PROVIDER, "reason": reason.reason}
    await audit.record(tx, Actor(audit.NOBODY, address=device.address), action, "unknown", "refused", facts)


async def _accept(tx: Tx, desk: LinkDesk, who: ProviderPerson, asked: ProviderRequest, device: Device) -> Account:
    """The account that a link of ours makes or opens."""
    secret = asked.ticket or ""
    try:
        ticket = (await redeem.look_at(tx, desk, secret)).ticket
        if ticket.purpose == TicketPurpose.RESET:
            return await _by_reset_link(tx, desk.key, secret)
        username = asked.username or ticket.username or await _fresh_name(tx, desk.owners, who)
        name, verified = asked.display_name or who.display_name, await _free_email(tx, who)
        chosen = AccountChoice(username, name, asked.email, None, verified)
        return await redeem.redeem(tx, desk, secret, chosen, device.address)
    except InvalidTicket:
        raise ProviderRefusal("link", f"The link was used, has expired or was withdrawn. {_AGAIN}", 410) from None
    except (NameTaken, EmailTaken, ValidationFailed) as problem:
        raise ProviderRefusal("name", f"{problem.message} Open your link again.", problem.status) from None


async def _by_reset_link(tx: Tx, key: DigestKey, secret: str) -> Account:
    """A reset link lets its person connect the provider instead, unless two factors are on: this is only one."""
    ticket = await tickets.spend(tx, key, secret)
    account = await _open_account(tx, ticket.account_id)
    if account.two_factor:
        raise ProviderRefusal(
            "two factors", "Your account asks for two factors: sign in with both, then connect this.", 409
        )
    return account


async def _sign_up(tx: Tx, owners: Owners, settings: ProviderSettings, who: ProviderPerson, device: Device) -> Account:
    if not settings.open_to_all:
        text = f"{settings.shown_label} knows you, and here you have no account yet. Ask an admin for an invitation."
        raise ProviderRefusal("not invited", f"{text} If you have an account, sign in with it and connect this.", 403)
    if not who.is_admin and not await account_store.has_any(tx):
        raise ProviderRefusal(
            "not set up", "Nobody has set this up yet: open the link that its first start printed.", 409
        )
    username = await _fresh_name(tx, owners, who)
    new = NewAccount(
        username,
        who.display_name,
        await _free_email(tx, who),
        AccountRole.ADMIN if who.is_admin else AccountRole.MEMBER,
    )
    return await changes.create_account(tx, Actor(username, address=device.address), new)


async def _free_email(tx: Tx, who: ProviderPerson) -> str | None:
    """The address that the provider has verified, unless another account has it: that is no way into the account."""
    return None if who.email is None or await account_store.is_email_taken(tx, who.email) else who.email


async def _fresh_name(tx: Tx, owners: Owners, who: ProviderPerson) -> str:
    """A username that owns nothing yet, similar to the provider's name for the person."""
    await tx.lock(f"username {who.stem}")
    for name in who.names():
        try:
            await check_fresh(tx, owners, name)
        except NameTaken:
            continue
        return name
    raise ProviderRefusal(
        "name", "No username is left that is like yours. Ask an admin for an invitation with a name.", 409
    )


async def _open_account(tx: Tx, account_id: str | None) -> Account:
    account = await account_store.find_enabled(tx, account_id, lock=True)
    if account is None:
        raise ProviderRefusal("disabled", "Your account here is disabled. Ask an admin.", 403)
    return account


async def _give_role(tx: Tx, owners: Owners, account: Account, who: ProviderPerson, device: Device) -> Account:
    """Give the role that the provider's claim says, if one is configured; the last admin stays an admin."""
    if who.is_admin is None:
        return account
    role, actor = AccountRole.ADMIN if who.is_admin else AccountRole.MEMBER, Actor(who.issuer, address=device.address)
    try:
        return (await changes.change_role(tx, actor, account.id, role, owners))[0]
    except LastAdmin:
        return account
