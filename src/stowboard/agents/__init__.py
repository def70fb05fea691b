"""Agents: `POST /mcp` speaks the Model Context Protocol, and its tools perform operations of the API."""
