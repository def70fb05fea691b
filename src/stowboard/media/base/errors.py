"""Errors of media."""

from stowboard.core.errors import AdminRequired, NotFound, Problem


class AssetNotFound(NotFound):
    """No asset has this id."""


class AssetVersionNotFound(NotFound):
    """The asset has no earlier version of this number."""


class VideoNotFound(NotFound):
    """No video has this id."""


class CaptionsNotFound(NotFound):
    """The video has no captions in this language."""


class UploadNotFound(NotFound):
    """No upload has this address."""


class ContentDamaged(Problem):
    status, code = 503, "content_damaged"
    message = "The bytes in the store are not those that were uploaded. Upload them again, or ask the operator."
    advice = "Replace the bytes with a good copy; or ask the operator, who can restore them from a backup."


class UploadFromUrlOff(Problem):
    status, code = 403, "upload_from_url_off"
    message = "The operator has turned uploads by URL off. Send the bytes instead: POST /media/upload/presigned."
    advice = "Send the bytes yourself; or ask the operator, who can turn it on with STOWBOARD_UPLOAD_FROM_URL."


class InvalidBase64(Problem):
    status, code = 400, "invalid_base64"
    message = "The bytes are not base64 of the standard alphabet (RFC 4648)."
    advice = "Encode the bytes with the standard alphabet (+ and /), and send only the text of it."


class InvalidMedia(Problem):
    status, code, kept = 400, "invalid_media", True
    message = "The bytes are not what this operation takes."
    advice = "Send bytes of a kind that the operation takes; any file at all goes to POST /media/upload/file."


class SizeMismatch(Problem):
    status, code = 400, "size_mismatch"
    message = "The size that was announced is not the size of the bytes."
    advice = "Announce the number of bytes before they are encoded."


class UnknownTransformClass(Problem):
    status, code = 400, "unknown_transform_class"
    message = "No transform class has this name; GET /media/transform-classes lists them."
    advice = "Use a name that GET /media/transform-classes lists."


class NotTransformable(Problem):
    status, code = 400, "not_transformable"
    message = "Only images, and PDFs and audio that could be read, have transform classes; leave transformClass out."
    advice = "Leave transformClass out for files that have no thumbnailUrl."


class NamespaceNotAllowed(Problem):
    status, code = 403, "namespace_not_allowed"
    message = "The asset is bound to other namespaces than the token's; an admin can change that."
    advice = "Use a token of a namespace that the asset is bound to, or ask an admin to bind it to yours."


class VisibilityBound(AdminRequired):
    message = "The asset is bound to namespaces; only an admin token changes the visibility of such an asset."


class AssetProtected(Problem):
    status, code = 403, "asset_protected"
    message = "The asset is protected. Ask for a signed URL with POST /media/assets/{id}/url."
    advice = "Mint a signed URL with POST /media/assets/{id}/url, and use that."


class SignatureInvalid(Problem):
    status, code = 403, "signature_invalid"
    message = "The link is not signed, or not by us, or was revoked. Ask for a new one: POST /media/assets/{id}/url."
    advice = "Use the link exactly as it was given; if it was, mint a new one."


class SignatureExpired(Problem):
    status, code = 403, "signature_expired"
    message = "The link has expired. Ask for a new one."
    advice = "Mint a new link; expiresIn says how long it lasts."


class UploadFinalized(Problem):
    status, code = 403, "upload_finalized"
    message = "The upload is complete and closed; its bytes cannot be changed any more."
    advice = "Create a new upload for other bytes."


class UploadIncomplete(Problem):
    status, code = 409, "upload_incomplete"
    message = "Not all bytes have arrived yet."
    advice = "Ask for the offset with HEAD, send the rest, then finalize again."


class ReplaceInProgress(Problem):
    status, code = 409, "replace_in_progress"
    message = "Bytes of this asset are being processed. Wait until processingStatus is ready or failed, then retry."
    advice = "Read the asset until processingStatus is ready or failed, then send it again."


class AssetNotReady(Problem):
    status, code = 409, "asset_not_ready"
    message = "The asset has no bytes that could be served yet. Wait until processingStatus is ready."
    advice = "Send the bytes that were announced, read the asset until processingStatus is ready, then send it again."


class UploadGone(Problem):
    status, code = 410, "upload_gone"
    message = "The upload has expired, was terminated or was started again. Start a new one."
    advice = "Create a new upload, and send all bytes to it."


class RangeNotSatisfiable(Problem):
    status, code = 416, "range_not_satisfiable"
    message = "The file has no byte of the requested range; Content-Range has its size."
    advice = "Ask for bytes that are there; Content-Range has the length."


class UploadLocked(Problem):
    status, code = 423, "upload_locked"
    message = "Another request writes to this upload and did not stop in time. Retry."
    advice = "Wait for the seconds in Retry-After, ask for the offset with HEAD, and go on from there."

    def __init__(self) -> None:
        super().__init__(headers=(("retry-after", "1"),))


class ChecksumMismatch(Problem):
    status, code = 460, "checksum_mismatch"
    message = "The bytes do not have the checksum that was announced; none of them was kept."
    advice = "Send the same bytes again from the same offset."


#: Also of the addresses outside of the API.
PROBLEMS: list[type[Problem]] = [
    AssetNotReady, AssetProtected, ChecksumMismatch, ContentDamaged, InvalidBase64, InvalidMedia, NamespaceNotAllowed,
    NotTransformable, RangeNotSatisfiable, ReplaceInProgress, SignatureExpired, SignatureInvalid, SizeMismatch,
    UnknownTransformClass, UploadFinalized, UploadGone, UploadIncomplete, UploadLocked,
]  # fmt: skip
