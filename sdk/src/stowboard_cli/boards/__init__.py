"""Commands for boards."""
