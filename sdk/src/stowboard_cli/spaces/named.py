"""Spaces as people name them: by id, or by name."""

from stowboard_cli.exits import INVALID, NOT_FOUND, CommandFailure
from stowboard_client import Client
from stowboard_client.access.spaces import Space

COLUMNS = ["id", "name", "role", "members"]
ROLES = ["viewer", "commenter", "editor", "manager"]


def get_space_named(client: Client, text: str) -> Space:
    """Raises CommandFailure, naming those it could be."""
    if text.startswith(("spc_", "~")):
        return client.spaces.get(text)
    found = [space for space in client.spaces.list() if space.name.casefold() == text.casefold()]
    if not found:
        raise CommandFailure(NOT_FOUND, f"There is no space {text!r}. See: stow space ls")
    if len(found) > 1:
        names = "\n".join(f"  {space.id}  {space.name}" for space in found)
        raise CommandFailure(INVALID, f"Several spaces have that name; name one by its id:\n{names}")
    return found[0]
