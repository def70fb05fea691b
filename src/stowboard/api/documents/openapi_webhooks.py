"""`webhooks` of the document: every kind of event, as a receiver gets it and as feed and stream show it."""

from stowboard.api.documents.catalogue import EventKindText
from stowboard.api.documents.openapi_schemas import Schema, Schemas

#: A tag of their own: generators of clients write one file for each tag, and webhooks would overwrite that of paths.
TAG = {"name": "Sent events", "description": "What receivers of webhooks are sent."}
_RECEIVED = "Any status of 200 to 299 says that it was received; the body is not read."


def webhook(kind: EventKindText, schemas: Schemas) -> Schema:
    typed = {"type": "object", "properties": {"type": {"const": kind.name}, "data": schemas.of(kind.data)}}
    content = {"schema": {"allOf": [schemas.of(kind.envelope), typed]}, "example": kind.example}
    operation = {
        "operationId": "on" + "".join(word.capitalize() for word in kind.name.split(".")),
        "summary": kind.summary.removesuffix("."),
        "description": f"Needs the scope `{kind.scope}`.",
        "tags": [TAG["name"]],
        "security": [],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {"2XX": {"description": _RECEIVED}},
    }
    return {"post": operation}
