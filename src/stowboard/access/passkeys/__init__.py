"""Passkeys and recovery codes: making them, and signing in with them."""
