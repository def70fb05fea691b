"""Grants of the authorization server: codes, device codes, refresh tokens, consents, and the tokens for them."""
