"""The read model behind lists and tags, and the backfill that activates it."""
