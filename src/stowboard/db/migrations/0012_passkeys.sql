-- More ways in: passkeys, and codes for when they are lost.

-- `rp_id` is the host that the passkey was made for; it works under no other. `sign_count` never falls.
CREATE TABLE passkey (
    id           TEXT
--postgres COLLATE "C"
                 PRIMARY KEY,
    account_id   TEXT NOT NULL,
    credential   BYTEA NOT NULL UNIQUE,
    public_key   BYTEA NOT NULL,
    sign_count   BIGINT NOT NULL,
    rp_id        TEXT NOT NULL,
    name         TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT
)
--sqlite WITHOUT ROWID
;
CREATE INDEX passkey_by_account ON passkey (account_id, id);
CREATE INDEX passkey_by_host ON passkey (rp_id);

-- What an authenticator has to sign, once, within minutes. `digest` is of the secret of the cookie or the session that
-- it was given to; `account_id` is who has to answer, if that is known.
CREATE TABLE sign_in_challenge (
    digest     BYTEA NOT NULL,
    purpose    TEXT NOT NULL,
    challenge  BYTEA NOT NULL,
    account_id TEXT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (digest, purpose)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX sign_in_challenge_by_expiry ON sign_in_challenge (expires_at);

-- A code that stands in for a passkey, once; only its digest is kept.
CREATE TABLE recovery_code (
    account_id TEXT NOT NULL,
    digest     BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, digest)
)
--sqlite WITHOUT ROWID
;
