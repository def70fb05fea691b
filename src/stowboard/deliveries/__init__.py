"""One engine for all that leaves: destinations, attempts, what comes of them, pauses and the log."""
