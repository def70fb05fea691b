"""Search: words of things in an index, the language of `q`, and one port with FTS5 and GIN behind it."""
