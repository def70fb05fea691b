"""Why nothing can be moved."""


class Refused(Exception):
    """A sentence for the operator: what is wrong, and what to do."""
