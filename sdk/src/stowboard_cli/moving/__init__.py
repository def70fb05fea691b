"""Commands that bring in tasks from other programs, and write them out."""
