"""Stowboard: media and tasks behind one REST API."""

#: The version of everything that is released from this repository.
__version__ = "0.2.0"
