"""How a call becomes requests: credentials, retries, paging, and a driver each for threads and for async."""
