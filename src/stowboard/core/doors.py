"""The doors of the service, each of which a token opens or does not: the API, and the one for agents."""

API_DOOR = "/api/v1"
AGENTS_DOOR = "/mcp"
DOORS = (API_DOOR, AGENTS_DOOR)
