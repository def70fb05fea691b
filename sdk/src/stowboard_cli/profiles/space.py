"""The space that a command acts in, as people name it: by id, or by name."""

from stowboard_cli.exits import INVALID, NOT_FOUND, CommandFailure
from stowboard_client import Client, Space

#: Words that the API takes beside ids.
OWN, ALL = "own", "all"


def get_space_id(client: Client, text: str) -> str:
    """The id of the space, or the word that stands for one or all. Raises CommandFailure."""
    return text if text in (OWN, ALL) else get_space_named(client, text).id


def get_space_named(client: Client, text: str) -> Space:
    """The space with this name. Raises CommandFailure, naming the spaces it could be."""
    usable = [space for space in client.spaces.list() if space.trashed_at is None]
    found = [space for space in usable if text == space.id or text.casefold() == space.name.casefold()]
    if not found:
        raise CommandFailure(NOT_FOUND, f"There is no space {text!r}. See: stow space ls")
    if len(found) > 1:
        names = "\n".join(f"  {space.id}  {space.name}" for space in found)
        raise CommandFailure(INVALID, f"Several spaces have that name; name one by its id:\n{names}")
    return found[0]
