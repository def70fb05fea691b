"""The consent page: it shows the application and what it asks for, and lets the person allow or deny."""

from collections.abc import Sequence
from urllib.parse import quote

from stowboard.access.base.account import Account
from stowboard.access.oauth.applications.application import ApplicationOrigin, OAuthApplication
from stowboard.access.oauth.applications.redirects import is_loopback, is_proof, place_of
from stowboard.access.oauth.request import AuthorizationRequest
from stowboard.access.pages.template import Html, fill
from stowboard.access.spaces.space import Space
from stowboard.core.caller import AGENTS_DOOR, TokenKind
from stowboard.core.scopes import ADMIN, MANAGE_SPACES, Scopes

SENTENCES = {
    "tasks:read": "See tasks and boards.",
    "media:read": "See images, files and videos.",
    "tasks:write": "Create and change tasks and boards.",
    "media:write": "Upload and change images, files and videos.",
    "tasks:delete": "Delete tasks and boards for good.",
    "media:delete": "Delete images, files and videos for good.",
    "webhooks:manage": "Send your events to addresses that it chooses.",
    MANAGE_SPACES: "Make spaces, and change who is in those that you manage.",
    ADMIN: "Administer this installation: everybody's accounts, tokens and applications.",
}
SEALED = "Read the text of zero-knowledge tasks."
ACCOUNT = "Change your password, your account, or your other applications."


def shown_parts(scopes: Sequence[str], known: Scopes, kind: TokenKind) -> dict[str, list[str]]:
    """Sentences for all that an application with these scopes can read, can change and cannot do.

    None of them says that `admin` is allowed: that has a place of its own on the page.
    """
    allowed = known.implied([name for name in scopes if name != ADMIN])
    sentences = {name: SENTENCES.get(name) or text for name, text in known.known.items()}
    sealed = [SEALED] if kind == TokenKind.AUTOMATION else []
    return {
        "reading": [text for name, text in sentences.items() if name in allowed and name.endswith(":read")],
        "writing": [text for name, text in sentences.items() if name in allowed and not name.endswith(":read")],
        "withheld": [text for name, text in sentences.items() if name not in allowed] + [*sealed, ACCOUNT],
    }


def consent(
    wanted: AuthorizationRequest,
    account: Account,
    scopes: list[str],
    known: Scopes,
    reached: list[str],
    spaces: Sequence[Space],
    query: str,
) -> Html:
    application, uri = wanted.asker.application, wanted.asker.redirect_uri
    parts = shown_parts(scopes, known, application.kind)
    return fill(
        "consent/page.html",
        application=application.name,
        registered=registered(application),
        answer=_answer(uri),
        account=account.display_name,
        username=account.username,
        door="as an agent, through MCP" if wanted.door == AGENTS_DOOR else "through the API",
        reached=_part("It reaches:", reached),
        reading=_part("It can see:", parts["reading"]),
        writing=_part("It can change:", parts["writing"]),
        withheld=_part("It cannot:", parts["withheld"]),
        admin=fill("consent/admin.html", text=SENTENCES[ADMIN]) if ADMIN in scopes else Html(""),
        spaces=_spaces(spaces),
        query=query,
        again=f"/signin?again=1&next={quote('/oauth/authorize?' + query, safe='/')}",
    )


def registered(application: OAuthApplication) -> str:
    """The origin of an application, as a sentence."""
    match application.origin:
        case ApplicationOrigin.BUILT_IN:
            return "It is Stowboard's own program for terminals."
        case ApplicationOrigin.ADMIN:
            return f"It was registered here by the admin {application.registered_from}."
        case ApplicationOrigin.DOCUMENT:
            return f"It is described by {application.registered_from}, at {application.client_id}."
        case ApplicationOrigin.ITSELF:
            return f"It registered itself, from {application.registered_from}. Nobody has checked its name."


def _answer(uri: str) -> str:
    if is_loopback(uri):
        return "The answer goes to a program on this computer. We cannot tell which one."
    if not is_proof(uri):
        return f"The answer goes to an app on this device that opens {place_of(uri)} We cannot tell which one."
    return f"The answer goes to {place_of(uri)}."


def _part(title: str, sentences: list[str]) -> Html:
    if not sentences:
        return Html("")
    items = Html("").join(fill("consent/item.html", text=sentence) for sentence in sentences)
    return fill("consent/part.html", title=title, items=Html(items))


def _spaces(spaces: Sequence[Space]) -> Html:
    if not spaces:
        return Html("")
    ticks = Html("").join(fill("consent/space.html", id=space.id, space=space.name) for space in spaces)
    return fill("consent/spaces.html", ticks=Html(ticks))
