"""Applications that act for people: how they are registered, described and stored."""
