"""The built web console, and the routes that serve it."""
