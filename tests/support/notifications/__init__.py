"""Browsers that are sent pushes."""
