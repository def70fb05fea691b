"""People and credentials: tokens, accounts, OAuth clients, applications, and signing in by a code."""
