-- OAuth: programs and applications, the consents that people gave them, and the tokens that they hold.

-- A program that acts for its owner, with a secret (client credentials).
CREATE TABLE oauth_client (
    id            TEXT PRIMARY KEY,
    secret_digest BYTEA NOT NULL,
    owner         TEXT NOT NULL,
    scopes        TEXT NOT NULL,
    namespace     TEXT,
    name          TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    deleted_at    BIGINT
) WITHOUT ROWID;
CREATE INDEX oauth_client_by_name ON oauth_client (lower(owner));

-- An application that acts for people; it has no secret. `origin` says how it came here: an admin registered it, it
-- registered itself (RFC 7591), or its id is the address of a document about it, of which this is the latest copy,
-- good until `fresh_until`. `registered_from` is an address, or the admin.
CREATE TABLE oauth_application (
    id              TEXT COLLATE "C" PRIMARY KEY,
    origin          TEXT NOT NULL,
    name            TEXT NOT NULL,
    redirect_uris   TEXT NOT NULL,
    device          BIGINT NOT NULL,
    registered_from TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    fresh_until     BIGINT,
    used_at         BIGINT,
    deleted_at      BIGINT
) WITHOUT ROWID;
CREATE INDEX oauth_application_by_place ON oauth_application (registered_from, created_at);
CREATE INDEX oauth_application_by_use ON oauth_application (COALESCE(used_at, created_at)) WHERE origin <> 'admin';

-- The consent of a person to an application at one of our doors. The person sees it and can take it back.
CREATE TABLE oauth_consent (
    id          TEXT COLLATE "C" PRIMARY KEY,
    account_id  TEXT NOT NULL,
    client_id   TEXT NOT NULL,
    resource    TEXT NOT NULL,
    client_name TEXT NOT NULL,
    scopes      TEXT NOT NULL,
    spaces      TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    used_at     BIGINT NOT NULL,
    UNIQUE (account_id, client_id, resource)
) WITHOUT ROWID;
CREATE INDEX oauth_consent_by_client ON oauth_consent (client_id);
CREATE INDEX oauth_consent_by_account ON oauth_consent (account_id, id);

-- One sign-in of an application: the family of all tokens that came of it. Access tokens name it in `grant_id`.
CREATE TABLE oauth_grant (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT NOT NULL,
    client_id  TEXT NOT NULL,
    resource   TEXT NOT NULL,
    scopes     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
) WITHOUT ROWID;
CREATE INDEX oauth_grant_by_account ON oauth_grant (account_id, client_id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_grant_by_client ON oauth_grant (client_id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_grant_by_expiry ON oauth_grant (expires_at);

CREATE TABLE oauth_refresh_token (
    digest     BYTEA PRIMARY KEY,
    grant_id   TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT,
    token_id   TEXT NOT NULL,
    parent     BYTEA,
    ended_at   BIGINT
) WITHOUT ROWID;
CREATE INDEX oauth_refresh_token_by_parent ON oauth_refresh_token (parent) WHERE parent IS NOT NULL;
CREATE INDEX oauth_refresh_token_by_expiry ON oauth_refresh_token (expires_at);

-- An authorization code, good for a minute and once. `grant_id` is the grant that came of it.
CREATE TABLE oauth_code (
    digest       BYTEA PRIMARY KEY,
    account_id   TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    client_id    TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    challenge    TEXT NOT NULL,
    resource     TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    expires_at   BIGINT NOT NULL,
    used_at      BIGINT,
    grant_id     TEXT
) WITHOUT ROWID;
CREATE INDEX oauth_code_by_account ON oauth_code (account_id, client_id) WHERE used_at IS NULL;
CREATE INDEX oauth_code_by_client ON oauth_code (client_id) WHERE used_at IS NULL;
CREATE INDEX oauth_code_by_expiry ON oauth_code (expires_at);

-- A device that waits for somebody to type its code elsewhere (RFC 8628). `account_id` is the person who allowed it.
CREATE TABLE oauth_device (
    digest      BYTEA PRIMARY KEY,
    user_digest BYTEA NOT NULL UNIQUE,
    client_id   TEXT NOT NULL,
    resource    TEXT NOT NULL,
    scopes      TEXT NOT NULL,
    address     TEXT NOT NULL,
    user_agent  TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    seconds     BIGINT NOT NULL,
    polled_at   BIGINT,
    account_id  TEXT,
    session_id  TEXT,
    denied_at   BIGINT,
    used_at     BIGINT
) WITHOUT ROWID;
CREATE INDEX oauth_device_by_account ON oauth_device (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX oauth_device_by_client ON oauth_device (client_id);
CREATE INDEX oauth_device_by_expiry ON oauth_device (expires_at);
