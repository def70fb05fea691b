"""Recurring tasks: RFC 5545 rules, expanded on the wall clock of a time zone."""
