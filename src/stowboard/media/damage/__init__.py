"""Bytes that are not what they were: found by reading them all now and then, told of, and not served."""
