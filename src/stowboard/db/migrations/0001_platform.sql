-- The platform itself: its keys, and replies that are kept for retries.
-- A line behind "--sqlite " or "--postgres " is run on that database alone. Each also passes over some words that only
-- the other one knows (see migrate.py).

-- Tables are WITHOUT ROWID if their rows are narrow. A row of more than about 1,000 bytes would take a page of its own.

-- The clock of the database. STABLE and the same for a whole statement, so that it can be the bound of an index;
-- clock_timestamp() could not. SQLite is given a function of this name by each connection.
--postgres CREATE FUNCTION now_ms() RETURNS bigint STABLE PARALLEL SAFE LANGUAGE sql
--postgres RETURN floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint;

-- One row: whoever inserts it made the first start.
CREATE TABLE installation (
    id         BIGINT PRIMARY KEY,
    created_at BIGINT NOT NULL
);

CREATE TABLE signing_key (
    id         TEXT PRIMARY KEY,
    purpose    TEXT NOT NULL,
    secret     BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

-- Claim, effect and stored reply are one transaction, so no other transaction sees a row without a status.
-- `subject` is the resource that the reply speaks of, or `*` if there are several: see idempotency_subject.
-- `redacted` is 1 if a replay must leave out text that was purged since; `outline` is 1 if the body has only the ids of
-- what a replay shows as it is then. `size` is that of the body.
CREATE TABLE idempotency (
    scope       TEXT NOT NULL,
    key_digest  BYTEA NOT NULL,
    fingerprint BYTEA NOT NULL,
    status      BIGINT,
    headers     BYTEA,
    body        BYTEA,
    expires_at  BIGINT NOT NULL,
    subject     TEXT,
    redacted    BIGINT NOT NULL DEFAULT 0,
    size        BIGINT NOT NULL DEFAULT 0,
    outline     BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, key_digest)
);
CREATE INDEX idempotency_by_age ON idempotency (scope, expires_at, size);
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);
CREATE INDEX idempotency_by_subject ON idempotency (subject) WHERE subject IS NOT NULL;

CREATE TABLE idempotency_subject (
    scope      TEXT NOT NULL,
    key_digest BYTEA NOT NULL,
    subject    TEXT NOT NULL,
    PRIMARY KEY (scope, key_digest, subject),
    FOREIGN KEY (scope, key_digest) REFERENCES idempotency (scope, key_digest) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX idempotency_by_subjects ON idempotency_subject (subject);
