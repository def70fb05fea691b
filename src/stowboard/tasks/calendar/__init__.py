"""Dated tasks as an iCalendar file at a secret address."""
