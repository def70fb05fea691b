"""The HTTP server below us: Granian's face as an `Exchange`, and every place where we go past its public interface.

`rsgi.py` is the plain face. The other modules are shortcuts; docs/decisions/0022-behind-granian.md says what each
gives, what breaks if Granian changes, and how to turn them off.
"""
