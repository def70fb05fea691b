"""What an operator can say about agents."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AgentSettings:
    #: Whether there is a tool that deletes for good.
    delete: bool = False
