"""What can go wrong when people sign in and look after their accounts."""

from stowboard.core.errors import Conflict, Problem


class InvalidLogin(Problem):
    """The same whether the name is unknown, the account is disabled or the password is wrong."""

    status, code = 401, "invalid_login"
    message = "The username or the password is wrong."


class NotSignedIn(Problem):
    status, code = 401, "not_signed_in"
    message = "Nobody is signed in here, or the session has ended. Sign in at /signin."


class CrossSite(Problem):
    status, code = 403, "cross_site"
    message = "This is taken from pages of this service alone: by Sec-Fetch-Site same-origin, or by its own Origin."


class StepUpRequired(Problem):
    status, code = 403, "step_up_required"
    message = "Confirm that it is you: POST /session/step-up, or sign in again. It holds for 10 minutes."


class AccountRequired(Problem):
    status, code = 403, "account_required"
    message = "This token belongs to no account. Sign in at /signin and use a token of your own."


class InvalidTicket(Problem):
    status, code = 410, "invalid_ticket"
    message = "This link was used, has expired or was never made here. Ask for a new one."


class NameTaken(Conflict):
    message = "The username is taken, or has been. Choose another one."


class LastAdmin(Conflict):
    message = "This is the only admin who can sign in. Make somebody else an admin first."
