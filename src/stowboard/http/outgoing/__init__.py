"""Requests that the service makes itself, through one guard."""
