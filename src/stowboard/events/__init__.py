"""Events: the outbox, feed and streams, webhooks, mail, and the audit log."""
