"""Uses the client that openapi-python-client makes."""

import json
import os
import uuid

from generated.api.events import list_events
from generated.api.tasks import complete_task, create_task, get_task
from generated.client import AuthenticatedClient
from generated.models import CreateBody, Error, TaskViewAnswer, TaskViewCreateAnswer
from generated.models.event_view_page import EventViewPage
from generated.models.list_events_from import ListEventsFrom

with AuthenticatedClient(f"{os.environ['ORIGIN']}/api/v1", os.environ["TOKEN"]) as client:
    body = CreateBody("Water the plants", due_at=253402300799999, tags=["home"])
    made = create_task.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))
    assert isinstance(made, TaskViewCreateAnswer)
    completed = complete_task.sync(made.data.id, client=client)
    assert isinstance(completed, TaskViewAnswer)
    unknown = get_task.sync("tsk_unknown", client=client)
    assert isinstance(unknown, Error)
    events = list_events.sync(client=client, from_=ListEventsFrom.START, limit=1)
    assert isinstance(events, EventViewPage)

told = {
    "id": made.data.id,
    "dueAt": made.data.due_at,
    "tags": made.data.tags,
    "status": completed.data.status,
    "unknown": unknown.error.code,
    "events": bool(events.data),
}
print(json.dumps(told))
