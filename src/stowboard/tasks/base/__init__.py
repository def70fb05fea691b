"""The task itself, its row in the database, and its errors: the words that all of tasks share."""
