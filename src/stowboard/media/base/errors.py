"""What can go wrong with media."""

from stowboard.core.errors import NotFound, Problem


class AssetNotFound(NotFound):
    """No asset has this id."""


class VideoNotFound(NotFound):
    """No video has this id."""


class UploadNotFound(NotFound):
    """No upload has this address."""


class InvalidBase64(Problem):
    status, code = 400, "invalid_base64"
    message = "The bytes are not base64 of the standard alphabet (RFC 4648)."


class InvalidMedia(Problem):
    status, code, kept = 400, "invalid_media", True
    message = "The bytes are not what this operation takes."


class SizeMismatch(Problem):
    status, code = 400, "size_mismatch"
    message = "The size that was announced is not the size of the bytes."


class UnknownTransformClass(Problem):
    status, code = 400, "unknown_transform_class"
    message = "No transform class has this name; GET /media/transform-classes lists them."


class NotTransformable(Problem):
    status, code = 400, "not_transformable"
    message = "Only images can be transformed; leave transformClass out, or ask for original."


class NamespaceNotAllowed(Problem):
    status, code, kept = 403, "namespace_not_allowed", True
    message = "The asset is bound to other namespaces than the token's; an admin can change that."


class AssetProtected(Problem):
    status, code = 403, "asset_protected"
    message = "The asset is protected. Ask for a signed URL with POST /media/assets/{id}/url."


class SignatureInvalid(Problem):
    status, code = 403, "signature_invalid"
    message = "The link is not signed, or not by us, or was revoked. Ask for a new one: POST /media/assets/{id}/url."


class SignatureExpired(Problem):
    status, code = 403, "signature_expired"
    message = "The link has expired. Ask for a new one."


class UploadFinalized(Problem):
    status, code = 403, "upload_finalized"
    message = "The upload is complete and closed; its bytes cannot be changed any more."


class UploadIncomplete(Problem):
    status, code = 409, "upload_incomplete"
    message = "Not all bytes have arrived yet."


class ReplaceInProgress(Problem):
    status, code = 409, "replace_in_progress"
    message = "Bytes of this asset are being processed. Wait until processingStatus is ready or failed, then retry."


class AssetNotReady(Problem):
    status, code = 409, "asset_not_ready"
    message = "The asset has no bytes that could be served yet. Wait until processingStatus is ready."


class UploadGone(Problem):
    status, code = 410, "upload_gone"
    message = "The upload has expired, was terminated or was started anew. Start again."


class RangeNotSatisfiable(Problem):
    status, code = 416, "range_not_satisfiable"
    message = "No byte of the requested range exists; Content-Range has the size."


class UploadLocked(Problem):
    status, code = 423, "upload_locked"
    message = "Another request writes to this upload and did not stop in time. Retry."

    def __init__(self) -> None:
        super().__init__(headers=(("retry-after", "1"),))


class ChecksumMismatch(Problem):
    status, code = 460, "checksum_mismatch"
    message = "The bytes do not have the checksum that was announced; none of them was kept."
