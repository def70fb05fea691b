"""Settings of the operator for agents."""

from typing import Annotated

import msgspec

from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import flag

_SCOPES = ("tasks:read", "tasks:write", "media:read", "media:write")
_DELETE_SCOPES = ("tasks:delete", "media:delete")


class AgentSettings(msgspec.Struct, frozen=True):
    delete: Annotated[bool, Setting("agents_delete", flag)] = False

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes that an agent is told to ask for."""
        return _SCOPES + _DELETE_SCOPES if self.delete else _SCOPES
