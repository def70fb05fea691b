"""A package, so that one browser can last for all of its files."""
