"""The HTML pages for people: signing in, invitations, new passwords, consent and device codes."""
