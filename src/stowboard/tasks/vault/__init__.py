"""Wrapped keys of zero-knowledge bodies, which the server stores and cannot open."""
