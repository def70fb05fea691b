"""Errors of signing in and of looking after one's account."""

from stowboard.core.errors import Conflict, Problem


class InvalidLogin(Problem):
    """The same whether the name is unknown, the account is disabled or the password is wrong."""

    status, code = 401, "invalid_login"
    message = "The username or the password is wrong."
    advice = "Check the name and the password. After five attempts wait a while; an admin can make a link to reset it."


class SecondFactorRequired(Problem):
    status, code = 401, "second_factor_required"
    message = "The password is right. Now show your passkey, or give a recovery code."
    advice = "Send POST /session/passkey or POST /session/recovery from the same browser, within five minutes."


class PasswordsOff(Problem):
    status, code = 403, "passwords_off"
    message = "Passwords sign nobody in here. At /signin use the button of the provider, or a passkey."
    advice = "Sign in with the provider at /signin, or with a passkey; `stowboard account allow-passwords` helps out."


class ProviderUnavailable(Problem):
    status, code = 502, "provider_unavailable"
    message = "The provider cannot be used at this moment. Try again, or sign in another way."
    advice = "Try again, or sign in another way; `stowboard doctor` tells an operator what is wrong."


class NotSignedIn(Problem):
    status, code = 401, "not_signed_in"
    message = "Nobody is signed in here, or the session has ended. Sign in at /signin."
    advice = "Sign in at /signin, then send it again."


class CrossSite(Problem):
    status, code = 403, "cross_site"
    message = "This is taken from pages of this service alone: by Sec-Fetch-Site same-origin, or by its own Origin."
    advice = "Send it from a page of this service; programs use the API with a token."


class StepUpRequired(Problem):
    status, code = 403, "step_up_required"
    message = "Confirm that it is you: POST /session/step-up, or sign in again. It holds for 10 minutes."
    advice = "Send POST /session/step-up with the password, or sign in again; then repeat the request."


class InvalidPasskey(Problem):
    status, code = 400, "invalid_passkey"
    message = "This is no passkey that was just asked for here. Ask for options and make it again."
    advice = "Ask for options again, and send what the browser makes of them, once, within five minutes."


class PasskeysUnavailable(Problem):
    status, code = 409, "passkeys_unavailable"
    message = "Passkeys need https and a host name."
    advice = "Open the service over https by its host name, or at localhost; the setting public_url names it."


class AccountRequired(Problem):
    status, code = 403, "account_required"
    message = "No person made this token: it is an admin's or a program's. Sign in at /signin and use one of your own."
    advice = "Use a token that a person made while signed in."


class InvalidTicket(Problem):
    status, code = 410, "invalid_ticket"
    message = "This link was used, has expired or was never made here. Ask for a new one."
    advice = "Ask who gave you the link for a new one; each works once."


class NameTaken(Conflict):
    message = "The username is taken, or has been. Choose another one."


class EmailTaken(Conflict):
    message = "Another account has this e-mail address. Choose another one."


class LastAdmin(Conflict):
    message = "This is the only admin who can sign in. Make somebody else an admin first."
