"""The scopes that `stow login` asks for: all but admin."""

SCOPES = (
    "tasks:read", "tasks:write", "tasks:delete", "media:read", "media:write", "media:delete", "webhooks:manage",
    "spaces:manage",
)  # fmt: skip
AGENTS = "/agents"
