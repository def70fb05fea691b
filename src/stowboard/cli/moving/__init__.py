"""Commands that copy a whole installation, or read all of it."""
