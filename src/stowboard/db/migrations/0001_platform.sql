-- What the platform itself keeps. A line behind "--sqlite " or "--postgres " is run on that database alone.

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

CREATE TABLE access_token (
    id         TEXT PRIMARY KEY,
    digest     BYTEA NOT NULL UNIQUE,
    owner      TEXT NOT NULL,
    scopes     TEXT NOT NULL,
    namespace  TEXT,
    kind       TEXT NOT NULL,
    name       TEXT NOT NULL,
    client_id  TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
)
--sqlite WITHOUT ROWID
;
CREATE INDEX access_token_by_client ON access_token (client_id) WHERE client_id IS NOT NULL;

CREATE TABLE oauth_client (
    id            TEXT PRIMARY KEY,
    secret_digest BYTEA NOT NULL,
    owner         TEXT NOT NULL,
    scopes        TEXT NOT NULL,
    namespace     TEXT,
    name          TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    deleted_at    BIGINT
)
--sqlite WITHOUT ROWID
;

-- Claim, effect and stored answer are one transaction, so a row without a status is never seen by another one.
CREATE TABLE idempotency (
    scope       TEXT NOT NULL,
    key_digest  BYTEA NOT NULL,
    fingerprint BYTEA NOT NULL,
    status      BIGINT,
    headers     BYTEA,
    body        BYTEA,
    expires_at  BIGINT NOT NULL,
    PRIMARY KEY (scope, key_digest)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);
