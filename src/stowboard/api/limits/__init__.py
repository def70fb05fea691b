"""The rate limit: its rule, and where its buckets are kept."""
