"""Making an image of a transform class: its recipe, its format, and the steps in order. No database, no store."""
