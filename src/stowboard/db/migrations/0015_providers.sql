-- People who show elsewhere who they are (OpenID Connect).

-- Whom a provider means by a subject. A subject is the provider's own name for a person, and never another's.
CREATE TABLE account_identity (
    id           TEXT
--postgres COLLATE "C"
                 PRIMARY KEY,
    account_id   TEXT NOT NULL,
    issuer       TEXT NOT NULL,
    subject      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    UNIQUE (issuer, subject)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX account_identity_by_account ON account_identity (account_id, id);

-- A browser that was sent to the provider and is not back yet. `digest` is of the state that the provider hands back,
-- `browser` of a cookie's secret; `content` is sealed.
CREATE TABLE provider_request (
    digest     BYTEA PRIMARY KEY,
    browser    BYTEA NOT NULL,
    content    BYTEA NOT NULL,
    expires_at BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
CREATE INDEX provider_request_by_expiry ON provider_request (expires_at);

-- Until when the operator allows what the settings forbid. `name` is password: signing in with one.
CREATE TABLE sign_in_exception (
    name       TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
