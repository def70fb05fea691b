"""The scopes that tokens of this service can have. Every endpoint names one of them, or none."""

from stowboard.core.scopes import ADMIN, Scopes

SCOPES = Scopes(
    {
        "media:read": "See assets and videos, and mint signed URLs.",
        "media:write": "Upload, change and delete assets and videos.",
        "tasks:read": "See the owner's tasks and boards.",
        "tasks:write": "Create, change and delete the owner's tasks and boards.",
        "webhooks:manage": "Have events sent to addresses of one's choice.",
        ADMIN: "Manage tokens, clients and namespace bindings.",
    }
)
