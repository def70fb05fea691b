-- People: accounts, links that work once, sessions of browsers, and what is written down about all of these.

-- `username` is the owner of tasks, boards and tokens: it is never changed, and never given again once `deleted_at` is
-- set. `handle` stands for the account towards authenticators, so that they learn no name. With `two_factors` a
-- password alone signs nobody in.
CREATE TABLE account (
    id                 TEXT
--postgres COLLATE "C"
                       PRIMARY KEY,
    username           TEXT NOT NULL UNIQUE,
    display_name       TEXT NOT NULL,
    email              TEXT,
    email_confirmed_at BIGINT,
    remind_by_mail     BIGINT NOT NULL DEFAULT 0,
    role               TEXT NOT NULL,
    password           TEXT,
    handle             BYTEA NOT NULL UNIQUE,
    two_factors        BIGINT NOT NULL DEFAULT 0,
    created_at         BIGINT NOT NULL,
    last_seen_at       BIGINT,
    disabled_at        BIGINT,
    deleted_at         BIGINT
)
--sqlite WITHOUT ROWID
;
CREATE INDEX account_by_email ON account (lower(email)) WHERE email IS NOT NULL;
CREATE INDEX account_admins ON account (id) WHERE role = 'admin' AND disabled_at IS NULL AND deleted_at IS NULL;

-- A link that works once: `purpose` is setup, invite or reset.
CREATE TABLE ticket (
    id         TEXT
--postgres COLLATE "C"
               PRIMARY KEY,
    digest     BYTEA NOT NULL UNIQUE,
    purpose    TEXT NOT NULL,
    account_id TEXT,
    username   TEXT,
    role       TEXT,
    email      TEXT,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
)
--sqlite WITHOUT ROWID
;
CREATE INDEX ticket_open ON ticket (purpose, id) WHERE used_at IS NULL;
CREATE INDEX ticket_by_account ON ticket (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX ticket_by_expiry ON ticket (expires_at);

-- A browser that is signed in. `expires_at` is its last moment whatever happens; unused it ends sooner.
CREATE TABLE session (
    id            TEXT
--postgres COLLATE "C"
                  PRIMARY KEY,
    digest        BYTEA NOT NULL UNIQUE,
    account_id    TEXT NOT NULL,
    method        TEXT NOT NULL,
    address       TEXT NOT NULL,
    user_agent    TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    seen_at       BIGINT NOT NULL,
    stepped_up_at BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL,
    ended_at      BIGINT
)
--sqlite WITHOUT ROWID
;
CREATE INDEX session_by_account ON session (account_id, id) WHERE ended_at IS NULL;
CREATE INDEX session_by_expiry ON session (expires_at);

-- How often somebody tried to sign in: by a digest of the name that was typed, of a device, or of an address.
CREATE TABLE sign_in_attempt (
    key      BYTEA PRIMARY KEY,
    failures BIGINT NOT NULL,
    next_at  BIGINT NOT NULL,
    tried_at BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
CREATE INDEX sign_in_attempt_by_time ON sign_in_attempt (tried_at);

-- What was done to accounts, tokens and the installation, or refused; written in the transaction of the act.
CREATE TABLE audit (
    id         TEXT
--postgres COLLATE "C"
               PRIMARY KEY,
    action     TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    actor      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    token_id   TEXT,
    address    TEXT,
    data       TEXT NOT NULL,
    created_at BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_by_action ON audit (action, id);
CREATE INDEX audit_by_subject ON audit (subject, id);
--sqlite CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
--postgres CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS
--postgres 'BEGIN RAISE EXCEPTION ''audit rows are never changed''; END';
--postgres CREATE TRIGGER audit_stays BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_stays();

-- A token may be a person's: made by their account, of a browser's session, or of a grant to an application, for one
-- of our doors alone (`resource`, null for all).
ALTER TABLE access_token ADD COLUMN account_id TEXT;
ALTER TABLE access_token ADD COLUMN session_id TEXT;
ALTER TABLE access_token ADD COLUMN grant_id TEXT;
ALTER TABLE access_token ADD COLUMN resource TEXT;
ALTER TABLE access_token ADD COLUMN last_used_at BIGINT;
CREATE INDEX access_token_by_account ON access_token (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX access_token_by_session ON access_token (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX access_token_by_grant ON access_token (grant_id) WHERE grant_id IS NOT NULL;
-- Those that programs and browsers ask for again and again, by when they end.
CREATE INDEX access_token_passing ON access_token (expires_at) WHERE client_id IS NOT NULL OR session_id IS NOT NULL;
-- An owner in whatever spelling, for a name that somebody wants to have.
CREATE INDEX access_token_by_name ON access_token (lower(owner));
CREATE INDEX oauth_client_by_name ON oauth_client (lower(owner));
