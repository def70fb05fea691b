"""Installations that a release made, kept as files and opened by later releases."""
