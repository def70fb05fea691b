-- People and tokens: accounts, links that work once, sessions of browsers, ways to sign in, and the audit log.

-- `username` is the owner of tasks, boards and tokens: it is never changed, and never given again once `deleted_at` is
-- set. `handle` stands for the account towards authenticators, so that they learn no name. With `two_factors` a
-- password alone signs nobody in. `time_zone` is an IANA name; `quiet_hours` and `digest` are JSON, and `digest_due`
-- the time of the next one. `epoch` is in every signature of the media of the person's own space. Links are mailed to a
-- confirmed `email` alone; `pending_email` takes its place once its link was opened.
CREATE TABLE account (
    id                 TEXT COLLATE "C" PRIMARY KEY,
    username           TEXT NOT NULL UNIQUE,
    display_name       TEXT NOT NULL,
    email              TEXT,
    email_confirmed_at BIGINT,
    pending_email      TEXT,
    time_zone          TEXT,
    remind_by_mail     BIGINT NOT NULL DEFAULT 0,
    quiet_hours        TEXT,
    digest             TEXT,
    digest_due         BIGINT,
    role               TEXT NOT NULL,
    password           TEXT,
    handle             BYTEA NOT NULL UNIQUE,
    two_factors        BIGINT NOT NULL DEFAULT 0,
    epoch              BIGINT NOT NULL DEFAULT 0,
    created_at         BIGINT NOT NULL,
    last_seen_at       BIGINT,
    disabled_at        BIGINT,
    deleted_at         BIGINT
) WITHOUT ROWID;
CREATE UNIQUE INDEX account_by_email ON account (lower(email)) WHERE email IS NOT NULL;
CREATE INDEX account_with_digest ON account (digest_due) WHERE digest_due IS NOT NULL;
CREATE INDEX account_admins ON account (id) WHERE role = 'admin' AND disabled_at IS NULL AND deleted_at IS NULL;

-- A link that works once: `purpose` is setup, invite, reset, signin or email.
CREATE TABLE ticket (
    id         TEXT COLLATE "C" PRIMARY KEY,
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
) WITHOUT ROWID;
CREATE INDEX ticket_open ON ticket (purpose, id) WHERE used_at IS NULL;
CREATE INDEX ticket_by_account ON ticket (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX ticket_by_expiry ON ticket (expires_at);

-- A browser that is signed in. `expires_at` is its last moment whatever happens; unused it ends sooner.
CREATE TABLE session (
    id            TEXT COLLATE "C" PRIMARY KEY,
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
) WITHOUT ROWID;
CREATE INDEX session_by_account ON session (account_id, id) WHERE ended_at IS NULL;
CREATE INDEX session_by_expiry ON session (expires_at);

-- Failed sign-ins. `key` is a digest of the name that was typed, of a device, or of an address.
CREATE TABLE sign_in_attempt (
    key      BYTEA PRIMARY KEY,
    failures BIGINT NOT NULL,
    next_at  BIGINT NOT NULL,
    tried_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX sign_in_attempt_by_time ON sign_in_attempt (tried_at);

-- `account_id` is the person whose token it is; `session_id` the browser's session, `grant_id` the grant to an
-- application that it came of. `resource` is the one door where it works, NULL for all. `spaces` are the spaces that it
-- reaches, in words: ids, `own`, `all`. `made_by` is the person who made a token of a shared space.
CREATE TABLE access_token (
    id           TEXT PRIMARY KEY,
    digest       BYTEA NOT NULL UNIQUE,
    owner        TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    namespace    TEXT,
    kind         TEXT NOT NULL,
    name         TEXT NOT NULL,
    client_id    TEXT,
    account_id   TEXT,
    session_id   TEXT,
    grant_id     TEXT,
    resource     TEXT,
    spaces       TEXT NOT NULL,
    made_by      TEXT,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at   BIGINT,
    revoked_at   BIGINT
) WITHOUT ROWID;
CREATE INDEX access_token_by_client ON access_token (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX access_token_by_account ON access_token (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX access_token_by_session ON access_token (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX access_token_by_maker ON access_token (made_by) WHERE made_by IS NOT NULL;
CREATE INDEX access_token_by_grant ON access_token (grant_id) WHERE grant_id IS NOT NULL;
-- Tokens that programs and browsers ask for again and again, by the time at which they end.
CREATE INDEX access_token_passing ON access_token (expires_at) WHERE client_id IS NOT NULL OR session_id IS NOT NULL;
-- Tells if a name is free, in any spelling.
CREATE INDEX access_token_by_name ON access_token (lower(owner));

-- `rp_id` is the host that the passkey was made for; it works under no other. `sign_count` never falls.
CREATE TABLE passkey (
    id           TEXT COLLATE "C" PRIMARY KEY,
    account_id   TEXT NOT NULL,
    credential   BYTEA NOT NULL UNIQUE,
    public_key   BYTEA NOT NULL,
    sign_count   BIGINT NOT NULL,
    rp_id        TEXT NOT NULL,
    name         TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT
) WITHOUT ROWID;
CREATE INDEX passkey_by_account ON passkey (account_id, id);
CREATE INDEX passkey_by_host ON passkey (rp_id);

-- A challenge that an authenticator has to sign, once, within minutes. `digest` is of the secret of the cookie or the
-- session that it was given to; `account_id` is the person who has to answer, if that is known.
CREATE TABLE sign_in_challenge (
    digest     BYTEA NOT NULL,
    purpose    TEXT NOT NULL,
    challenge  BYTEA NOT NULL,
    account_id TEXT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (digest, purpose)
) WITHOUT ROWID;
CREATE INDEX sign_in_challenge_by_expiry ON sign_in_challenge (expires_at);

-- A code that stands in for a passkey, once; only its digest is kept.
CREATE TABLE recovery_code (
    account_id TEXT NOT NULL,
    digest     BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, digest)
) WITHOUT ROWID;

-- People who sign in with a provider (OpenID Connect). A subject is the provider's own name for a person.
CREATE TABLE account_identity (
    id           TEXT COLLATE "C" PRIMARY KEY,
    account_id   TEXT NOT NULL,
    issuer       TEXT NOT NULL,
    subject      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    UNIQUE (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX account_identity_by_account ON account_identity (account_id, id);

-- A browser that was sent to the provider and is not back yet. `digest` is of the state that the provider hands back,
-- `browser` of a cookie's secret; `content` is sealed.
CREATE TABLE provider_request (
    digest     BYTEA PRIMARY KEY,
    browser    BYTEA NOT NULL,
    content    BYTEA NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX provider_request_by_expiry ON provider_request (expires_at);

-- A way to sign in that the operator allows until `expires_at`, although the settings forbid it: `name` is `password`.
CREATE TABLE sign_in_exception (
    name       TEXT PRIMARY KEY,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;

-- The audit log: acts on accounts, tokens and the installation, refused ones too; written in the transaction of the
-- act.
CREATE TABLE audit (
    id         TEXT COLLATE "C" PRIMARY KEY,
    action     TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    actor      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    token_id   TEXT,
    address    TEXT,
    data       TEXT NOT NULL,
    created_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX audit_by_actor ON audit (actor, id);
CREATE INDEX audit_by_action ON audit (action, id);
CREATE INDEX audit_by_subject ON audit (subject, id);
--sqlite CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
--postgres CREATE FUNCTION audit_stays() RETURNS trigger LANGUAGE plpgsql AS
--postgres 'BEGIN RAISE EXCEPTION ''audit rows are never changed''; END';
--postgres CREATE TRIGGER audit_stays BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION audit_stays();

-- Shared spaces. A person's own space has no row: it is the owner's name. `everyone` is the role of people who are no
-- members, NULL for none. `epoch` is part of every signature of the space's media: it grows when somebody's reach ends.
CREATE TABLE space (
    id         TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT NOT NULL,
    everyone   TEXT,
    created_by TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    epoch      BIGINT NOT NULL DEFAULT 0,
    trashed_at BIGINT
) WITHOUT ROWID;
CREATE INDEX space_open ON space (id, everyone) WHERE everyone IS NOT NULL AND trashed_at IS NULL;
INSERT INTO space (id, name, everyone, created_by, created_at, updated_at, version)
VALUES ('spc_library', 'Library', 'editor', NULL, 0, 0, 1);

CREATE TABLE space_member (
    space_id   TEXT COLLATE "C" NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    member     TEXT NOT NULL,
    role       TEXT NOT NULL,
    added_by   TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (space_id, member)
) WITHOUT ROWID;
CREATE INDEX space_member_by_member ON space_member (member, space_id, role);

-- An invitation is a ticket that can be used some times; only its digest is kept. Like all that somebody makes to act
-- for them, it has `made_through`: the grant, OAuth client or token that it was made with, and ends with; empty if a
-- browser made it. One with a `username` is for that person alone, who accepts it by the space's id, and has no link.
CREATE TABLE space_invitation (
    id           TEXT COLLATE "C" PRIMARY KEY,
    digest       BYTEA NOT NULL UNIQUE,
    space_id     TEXT COLLATE "C" NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    role         TEXT NOT NULL,
    email        TEXT,
    username     TEXT,
    uses_left    BIGINT NOT NULL,
    created_by   TEXT NOT NULL,
    made_through TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX space_invitation_made_through ON space_invitation (made_through) WHERE made_through <> '';
CREATE INDEX space_invitation_by_maker ON space_invitation (created_by);
CREATE INDEX space_invitation_by_space ON space_invitation (space_id, id);
CREATE UNIQUE INDEX space_invitation_by_name ON space_invitation (space_id, username) WHERE username IS NOT NULL;
CREATE INDEX space_invitation_by_expiry ON space_invitation (expires_at);

-- The time at which somebody's membership last ended or was lowered: earlier invitations readmit nobody.
CREATE TABLE space_departure (
    space_id TEXT COLLATE "C" NOT NULL REFERENCES space (id) ON DELETE CASCADE,
    member   TEXT NOT NULL,
    ended_at BIGINT NOT NULL,
    PRIMARY KEY (space_id, member)
) WITHOUT ROWID;
CREATE INDEX space_departure_by_time ON space_departure (ended_at);
