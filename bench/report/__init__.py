"""Turns figures into tables, charts and RESULTS.md."""
