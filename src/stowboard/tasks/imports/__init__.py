"""Bring in boards and tasks that other programs exported."""
