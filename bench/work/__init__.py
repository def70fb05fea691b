"""The work of a row, done on us and on each peer."""
