"""The examples of the manual: blocks of code in a language. Tests run those that are marked `run`."""

import re
from contextlib import closing
from pathlib import Path

from stowboard_client import Client
from support.clients.people import invited
from support.servers.stowboard import Server

DOCS = Path(__file__).parents[3] / "docs"
#: Pages whose examples need an account.
OF_PERSONS = {"spaces", "notifications"}


def examples(page: Path, fence: str) -> list[str]:
    """The blocks that begin with exactly this fence, such as `sh run`."""
    return re.findall(rf"^```{fence}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


def pages_with(fence: str) -> list[Path]:
    return [page for page in sorted(DOCS.rglob("*.md")) if examples(page, fence)]


def token_for(server: Server, page: Path, language: str) -> str:
    """A token of an owner of its own, since examples make things by name: of an admin, or of a person who signed in."""
    name = f"{page.stem}-{language}"
    if page.stem in OF_PERSONS:
        with closing(invited(server, name)) as browser:
            return browser.token()
    with Client(server.origin, server.admin_token) as admin:
        return admin.tokens.create(name, admin=True).token
