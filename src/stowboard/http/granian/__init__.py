"""Granian, the HTTP server below us, as an `Exchange`, and every shortcut past its public interface.

`rsgi.py` uses only the public interface. The other modules are shortcuts; docs/decisions/0022-behind-granian.md says
what each gains, what breaks if Granian changes, and how to turn them off.
"""
