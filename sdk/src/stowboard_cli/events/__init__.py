"""Commands that follow events."""
