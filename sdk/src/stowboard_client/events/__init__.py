"""Events of the service: the feed, the stream, and webhooks with the check of their signatures."""
