"""The events that the service has stored about its resources."""

from support.servers.stowboard import Server
from support.stored.rows import rows


def events(server: Server, subject: str) -> list[str]:
    """The kinds of the events about a task, a board, an asset or a video, in their order."""
    return [kind for (kind,) in rows(server, f"SELECT type FROM event WHERE subject = '{subject}' ORDER BY id")]
