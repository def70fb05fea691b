"""The store that the settings name. obstore, some megabytes of memory, is imported only for a bucket."""

from stowboard.blobs.disk import DiskBlobs
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobStore


def open_blobs(settings: BlobSettings) -> BlobStore:
    """Settings must be valid. Makes the folder of a disk store; a bucket is not asked before its first use."""
    if not settings.on_s3:
        return DiskBlobs(settings.folder, direct_writes=settings.direct_writes)
    from stowboard.blobs.bucket import Bucket, S3Credentials
    from stowboard.blobs.s3 import S3Blobs

    credentials = S3Credentials(settings.access_key_id or "", settings.secret_access_key or "", settings.session_token)
    bucket = Bucket(settings.endpoint, settings.region, settings.bucket_name, settings.bucket_prefix, credentials)
    return S3Blobs(bucket, timeout_s=settings.s3_timeout_s)
