-- What happened, written in the transaction in which it happened. Delivery reads from here.
CREATE TABLE event (
    id         TEXT
--postgres COLLATE "C"
               PRIMARY KEY,
    type       TEXT NOT NULL,
    owner      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    data       BYTEA NOT NULL,
    created_at BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;

-- The resource that a kept reply speaks of, and whether a replay must leave out what was to be forgotten since.
ALTER TABLE idempotency ADD COLUMN subject TEXT;
ALTER TABLE idempotency ADD COLUMN redacted BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idempotency_by_subject ON idempotency (subject) WHERE subject IS NOT NULL;
