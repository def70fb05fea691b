"""Refusals of people who come back from the provider."""


class ProviderRefusal(Exception):
    """`reason` is for the audit log, the text for the person: what to do now."""

    def __init__(self, reason: str, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.reason, self.status = reason, status


class ProviderFailed(ProviderRefusal):
    """The provider does not answer as it should."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, f"The provider cannot be used: {reason} Try again, or sign in another way.", 502)
