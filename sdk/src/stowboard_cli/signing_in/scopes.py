"""What `stow` asks for when somebody signs in: all but to administer."""

SCOPES = (
    "tasks:read", "tasks:write", "tasks:delete", "media:read", "media:write", "media:delete", "webhooks:manage",
)  # fmt: skip
AGENTS = "/agents"
