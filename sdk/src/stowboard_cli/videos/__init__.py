"""Commands for videos."""
