"""Videos: created, received by an upload, finalized, made playable by a provider, and played."""
