"""Stowboard: media and tasks behind one REST API."""

__version__ = "0.1.0"
