"""`stowboard keys`: the keys that sign cursors and URLs, and the one that digests tokens."""
