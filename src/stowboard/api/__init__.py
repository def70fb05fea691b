"""What every JSON operation shares: endpoints, admission, decoding, idempotency, envelope, documents."""
