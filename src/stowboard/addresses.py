"""Every address outside of the JSON API that programs speak to, for the OpenAPI document."""

from stowboard.api.documents.catalogue import PlatformAddress

_JSON, _FORM, _OFFSET = "application/json", "application/x-www-form-urlencoded", "application/offset+octet-stream"
_BYTES = "application/octet-stream"
_TUS = {"Tus-Resumable": "`1.0.0`."}
_RANGES = {
    "Range": "Which bytes (RFC 9110).",
    "If-None-Match": "The ETag of what the client has.",
    "If-Range": "The ETag that the range is of.",
}
_COOKIE = "Needs the cookie of a session, and comes from a page of this origin."


def _uploads() -> list[PlatformAddress]:
    area, tus = "Uploads", "/uploads/tus/{token}"
    return [
        PlatformAddress(
            method="PUT", path="/uploads/put/{token}", name="putUpload", area=area, takes=(_BYTES,),
            summary="Send the bytes of a pre-signed upload; the address is `uploadUrl`", answers={204: "Taken."},
        ),
        PlatformAddress(
            method="OPTIONS", path=tus, name="tusOptions", area=area,
            summary="Ask what the TUS server can do", answers={204: "In the headers `Tus-…`."},
        ),
        PlatformAddress(
            method="POST", path=tus, name="tusCreate", area=area, takes=(_OFFSET,),
            headers=_TUS | {"Upload-Length": "Bytes in all.", "Upload-Defer-Length": "`1`: told later.",
                            "Upload-Metadata": "As TUS writes it."},
            summary="Begin a TUS upload; the address is `tusUploadUrl`", answers={201: "`Location` takes the bytes."},
        ),
        PlatformAddress(
            method="HEAD", path=tus, name="tusOffset", area=area, headers=_TUS,
            summary="Ask how many bytes have arrived", answers={200: "In the header `Upload-Offset`."},
        ),
        PlatformAddress(
            method="PATCH", path=tus, name="tusSend", area=area, takes=(_OFFSET,),
            headers=_TUS | {"Upload-Offset": "Where these bytes begin.", "Upload-Checksum": "Of these bytes."},
            summary="Send bytes from an offset on", answers={204: "Taken; `Upload-Offset` has where the next begin."},
        ),
        PlatformAddress(
            method="DELETE", path=tus, name="tusEnd", area=area, headers=_TUS,
            summary="Give an upload up", answers={204: "Its bytes are gone."},
        ),
    ]  # fmt: skip


def _delivery() -> list[PlatformAddress]:
    return [
        PlatformAddress(
            method="GET", path="/cdn/{asset_id}/{edition}/{transform_class}/{filename}", name="deliverAsset",
            area="Assets", headers=_RANGES, gives=_BYTES, query={"token": "The signature, in a signed URL."},
            summary="Get the bytes of an asset, by its `url`",
            answers={200: "The bytes.", 206: "Some of them.", 304: "The client has them."},
        ),
        PlatformAddress(
            method="GET", path="/stream/{token}/{provider_video_id}/{file}", name="playVideo", area="Videos",
            headers=_RANGES, gives=_BYTES, summary="Play a video: playlists, segments, captions, poster",
            answers={200: "The file.", 206: "Some of its bytes.", 304: "The client has it."},
        ),
        PlatformAddress(
            method="GET", path="/calendar/{token}.ics", name="readCalendar", area="Calendar", gives="text/calendar",
            headers={"If-None-Match": "The ETag of what the client has."},
            summary="Read dated tasks as a calendar", answers={200: "The calendar.", 304: "The client has it."},
        ),
    ]  # fmt: skip


def _form(path: str, name: str, summary: str, done: str) -> PlatformAddress:
    return PlatformAddress(
        method="POST", path=f"/oauth/{path}", name=name, area="Access", takes=(_FORM,), gives=_JSON,
        summary=summary, answers={200: done},
    )  # fmt: skip


def _oauth() -> list[PlatformAddress]:
    return [
        PlatformAddress(
            method="GET", path="/oauth/authorize", name="authorize", area="Access", gives="text/html",
            query=dict.fromkeys(
                ("response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge",
                 "code_challenge_method", "resource", "prompt"), "As OAuth 2.1 has it."),
            summary="Ask a person to let an application act for them",
            answers={200: "The page that asks.", 303: "To the sign-in, or back to the application."},
        ),
        _form("token", "issueToken", "Get a token for a code, a refresh token, a device or a client", "The token."),
        _form("revoke", "revokeByForm", "End a token (RFC 7009)", "It is ended, or never was."),
        _form("introspect", "introspectToken", "Ask what a token is (RFC 7662)", "Its facts, or `active: false`."),
        _form("device_authorization", "beginDevice", "Begin a sign-in of a device (RFC 8628)", "The codes."),
        PlatformAddress(
            method="POST", path="/oauth/register", name="registerClient", area="Access", takes=(_JSON,), gives=_JSON,
            summary="Register an application (RFC 7591)", answers={201: "Its id."},
        ),
    ]  # fmt: skip


def _session(method: str, path: str, name: str, summary: str, done: str, takes: bool = False) -> PlatformAddress:
    return PlatformAddress(
        method=method, path=f"/session{path}", name=name, area="People", takes=(_JSON,) if takes else (), gives=_JSON,
        summary=summary, answers={200: done},
    )  # fmt: skip


def _sessions() -> list[PlatformAddress]:
    return [
        _session("POST", "/login", "logIn", "Sign in by name and password", "The session, and its cookie.", takes=True),
        _session("POST", "/token", "takeSessionToken", "Take a bearer for ten minutes, of kind interactive",
                 f"The bearer. {_COOKIE}"),
        _session("GET", "", "getSession", "Read one's session", f"The session. {_COOKIE}"),
        _session("DELETE", "", "logOut", "Sign out", f"Signed out. {_COOKIE}"),
        _session("GET", "/list", "listSessions", "List one's sessions", f"All of them. {_COOKIE}"),
        _session("DELETE", "/list", "endSessions", "End all other sessions", f"They are ended. {_COOKIE}"),
        _session("DELETE", "/{session_id}", "endSession", "End one session", f"It is ended. {_COOKIE}"),
        _session("POST", "/step-up", "stepUp", "Prove by the password again who one is", f"Proved. {_COOKIE}", True),
        _session("POST", "/step-up/options", "stepUpOptions", "Begin a proof by passkey", f"Its challenge. {_COOKIE}",
                 True),
        _session("POST", "/step-up/passkey", "stepUpByPasskey", "Prove by passkey who one is", f"Proved. {_COOKIE}",
                 True),
        _session("POST", "/passkey/options", "passkeyOptions", "Begin a sign-in by passkey", "Its challenge.", True),
        _session("POST", "/passkey", "logInByPasskey", "Sign in by passkey", "The session, and its cookie.", True),
        _session("POST", "/recovery", "logInByRecoveryCode", "Sign in by a recovery code", "The session.", True),
        _session("POST", "/ticket", "lookAtTicket", "Read what a one-time link is for", "What it is for.", True),
        _session("POST", "/redeem", "redeemTicket", "Redeem a one-time link", "The session.", True),
        _session("POST", "/link", "askForLink", "Ask for a link to a new password, by mail", "It was sent, if it can.",
                 True),
        _session("POST", "/reset", "resetPassword", "Set a new password by a link", "The session.", True),
    ]  # fmt: skip


ADDRESSES = [
    *_uploads(),
    *_delivery(),
    *_oauth(),
    *_sessions(),
    PlatformAddress(
        method="POST", path="/mcp", name="callAgentTool", area="Discovery", takes=(_JSON,), gives=_JSON, bearer=True,
        headers={"MCP-Protocol-Version": "The revision of the protocol."},
        summary="Speak the Model Context Protocol: one JSON-RPC message",
        answers={200: "The result, or the error in JSON-RPC.", 202: "A notification was taken."},
    ),
]  # fmt: skip
