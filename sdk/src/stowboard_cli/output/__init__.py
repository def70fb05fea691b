"""Text for people: tables, progress and times."""
