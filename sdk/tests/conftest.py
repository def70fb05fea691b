"""Hands on the fixtures of `both_faces`. mypy passes over this file: it takes no second module of this name."""

from both_faces import face, server  # noqa: F401
