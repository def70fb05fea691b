"""The frame of every JSON operation: endpoints, admission, decoding, idempotency, envelope, documents."""
