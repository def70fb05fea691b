"""Webhooks: managing them, handing events out, and sending deliveries."""
