"""What an operator can say about agents."""

import msgspec

_SCOPES = ("tasks:read", "tasks:write", "media:read", "media:write")
_DELETE_SCOPES = ("tasks:delete", "media:delete")


class AgentSettings(msgspec.Struct, frozen=True):
    #: Whether there is a tool that deletes for good.
    delete: bool = False

    @property
    def scopes(self) -> tuple[str, ...]:
        """What an agent is told to ask for, to be able to do its work."""
        return _SCOPES + _DELETE_SCOPES if self.delete else _SCOPES
