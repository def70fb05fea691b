"""Bytes at rest: local disk or S3 behind one port, `store.BlobStore`; `open.open_blobs` makes the configured one."""
