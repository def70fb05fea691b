"""Access: tokens, accounts, sessions, sign-in, OAuth, the audit log's routes, and the pages for people."""
