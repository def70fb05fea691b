"""Shared spaces: who is in them and as what, how one joins, and what ends when one leaves."""
