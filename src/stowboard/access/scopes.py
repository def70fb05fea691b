"""The scopes that tokens of this service can have. Every endpoint names one of them, or none."""

from stowboard.core.scopes import ADMIN, MANAGE_SPACES, Scopes

SCOPES = Scopes(
    {
        "media:read": "See assets and videos, and mint signed URLs.",
        "media:write": "Upload and change assets and videos.",
        "media:delete": "Delete assets and videos for good.",
        "tasks:read": "See tasks and boards.",
        "tasks:write": "Create and change tasks and boards.",
        "tasks:delete": "Delete tasks and boards for good.",
        "webhooks:manage": "Have events sent to addresses of one's choice.",
        MANAGE_SPACES: "Make spaces, and manage their members and what they share.",
        ADMIN: "Manage tokens, clients and namespace bindings.",
    }
)
