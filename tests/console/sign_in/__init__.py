"""Signing in, consent and invitations: the pages before the console."""
