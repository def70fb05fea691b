"""History: the values before each change, its maker, and undo."""
