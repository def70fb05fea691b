"""The consent page: it shows the application and what it asks for, and lets the person allow or deny."""

from collections.abc import Iterable, Mapping, Sequence
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
    "tasks:read": "See your tasks and boards.",
    "media:read": "See the images, files and videos of the Library, and your own.",
    "tasks:write": "Create and change your tasks and boards.",
    "media:write": "Upload and change images, files and videos.",
    "tasks:delete": "Delete your tasks and boards for good.",
    "media:delete": "Delete images, files and videos for good.",
    "webhooks:manage": "Send your events to addresses that it chooses.",
    MANAGE_SPACES: "Make spaces, and change who is in those that you manage.",
    ADMIN: "Administer this installation: everybody's accounts, tokens and applications.",
}
SEALED = "Read the text of zero-knowledge tasks."
ACCOUNT = "Change your password, your account, or your other applications."


def reading(scopes: Iterable[str], known: Scopes) -> list[str]:
    return [_sentence(name, known.known) for name in _in_order(scopes, known) if name.endswith(":read")]


def writing(scopes: Iterable[str], known: Scopes) -> list[str]:
    """Sentences for the scopes that do more than read; `admin` has its own place on the page."""
    names = _in_order(scopes, known)
    return [_sentence(name, known.known) for name in names if not name.endswith(":read") and name != ADMIN]


def withheld(scopes: Iterable[str], known: Scopes, kind: TokenKind) -> list[str]:
    """Sentences for all that an application with these scopes may not do."""
    allowed = known.implied(scopes)
    rest = [_sentence(name, known.known) for name in known.known if name not in allowed]
    sealed = [SEALED] if kind == TokenKind.AUTOMATION else []
    return [*rest, *sealed, ACCOUNT]


def _in_order(scopes: Iterable[str], known: Scopes) -> list[str]:
    allowed = known.implied([name for name in scopes if name != ADMIN])
    return [name for name in known.known if name in allowed]


def _sentence(name: str, described: Mapping[str, str]) -> str:
    return SENTENCES.get(name) or described[name]


def consent(
    wanted: AuthorizationRequest,
    account: Account,
    scopes: list[str],
    known: Scopes,
    spaces: Sequence[Space],
    query: str,
) -> Html:
    application, uri = wanted.asker.application, wanted.asker.redirect_uri
    return fill(
        "consent/page.html",
        application=application.name,
        registered=registered(application),
        answer=_answer(uri),
        account=account.display_name,
        username=account.username,
        door="as an agent, through MCP" if wanted.door == AGENTS_DOOR else "through the API",
        reading=_part("It can see:", reading(scopes, known)),
        writing=_part("It can change:", writing(scopes, known)),
        withheld=_part("It cannot:", withheld(_without_admin(scopes), known, application.kind)),
        admin=_admin(scopes),
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


def shown_parts(scopes: list[str], known: Scopes, application: OAuthApplication) -> dict[str, list[str]]:
    """The same sentences as data, for the page of device codes."""
    return {
        "reading": reading(scopes, known),
        "writing": writing(scopes, known),
        "withheld": withheld(scopes, known, application.kind),
    }


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


def _admin(scopes: list[str]) -> Html:
    if ADMIN not in scopes:
        return Html("")
    return fill("consent/admin.html", text=SENTENCES[ADMIN])


def _spaces(spaces: Sequence[Space]) -> Html:
    if not spaces:
        return Html("")
    ticks = Html("").join(fill("consent/space.html", id=space.id, space=space.name) for space in spaces)
    return fill("consent/spaces.html", ticks=Html(ticks))


def _without_admin(scopes: list[str]) -> list[str]:
    return [name for name in scopes if name != ADMIN]
