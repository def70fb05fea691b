"""Accounts and their people: verbs of admins, `/access/me`, passwords, letters and links."""
