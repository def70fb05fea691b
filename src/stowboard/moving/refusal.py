"""Why nothing can be moved."""


class MovingRefusal(Exception):
    """A sentence for the operator: what is wrong, and what to do."""
