"""The pages at /docs."""
