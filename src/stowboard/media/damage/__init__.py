"""Damaged bytes: found by reading everything once a week, reported, and no longer served."""
