"""How an image of a class is made: its recipe, its format, and the steps in their order. No database, no store."""
