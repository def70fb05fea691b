"""Quick add: a line of text, read as a task."""
