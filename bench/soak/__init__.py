"""Steady load on a million tasks, and whether latency and memory stay flat."""
