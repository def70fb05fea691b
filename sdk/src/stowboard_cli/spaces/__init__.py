"""Commands for spaces."""
