"""Uploads by URL: the service fetches the bytes of an asset or a video itself."""
