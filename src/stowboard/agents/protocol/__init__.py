"""The Model Context Protocol: messages, revisions, methods, and what a tool is."""
