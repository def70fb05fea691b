-- An address that an owner's events are sent to. `secret` and `old_secret` are sealed. `since_position` is the head
-- of the feed when it was made or last enabled. `spaces` are the owners whose events it receives, as JSON; `made_by`
-- is the person who made it or last pointed it somewhere, if no token of a space did. `made_through` is the grant,
-- OAuth client or token by which it was made, or last pointed somewhere: it ends with that. It is empty where a
-- browser did so. `failures` counts failed attempts since the last success, of any delivery.
CREATE TABLE webhook (
    id               TEXT COLLATE "C" PRIMARY KEY,
    owner            TEXT NOT NULL,
    spaces           TEXT NOT NULL,
    made_by          TEXT,
    name             TEXT NOT NULL,
    url              TEXT NOT NULL,
    types            TEXT NOT NULL,
    include          TEXT,
    scopes           TEXT NOT NULL,
    origin           TEXT NOT NULL,
    made_through     TEXT NOT NULL,
    secret           BYTEA NOT NULL,
    old_secret       BYTEA,
    old_secret_until BIGINT,
    enabled          BIGINT NOT NULL,
    disabled_reason  TEXT,
    since_position   BIGINT NOT NULL,
    failures         BIGINT NOT NULL,
    failing_since    BIGINT,
    resting_until    BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX webhook_by_owner ON webhook (owner, id);
CREATE INDEX webhook_made_through ON webhook (made_through) WHERE made_through <> '';
CREATE INDEX webhook_enabled ON webhook (id) WHERE enabled = 1;

-- One message for one destination, which is a webhook or a channel. A pending one with a `due` may be sent then; one
-- without waits for an earlier message of its subject. `attempts` counts since the last order, `tries` from the start.
-- `about` are the notifications that it is made of, as JSON; after `until` it is of no use.
CREATE TABLE delivery (
    destination_id TEXT COLLATE "C" NOT NULL,
    message_id     TEXT COLLATE "C" NOT NULL,
    position       BIGINT NOT NULL,
    type           TEXT NOT NULL,
    subject        TEXT NOT NULL,
    about          TEXT NOT NULL,
    status         TEXT NOT NULL,
    attempts       BIGINT NOT NULL,
    tries          BIGINT NOT NULL,
    due            BIGINT,
    until          BIGINT,
    created_at     BIGINT NOT NULL,
    ended_at       BIGINT,
    PRIMARY KEY (destination_id, message_id)
) WITHOUT ROWID;
CREATE INDEX delivery_by_position ON delivery (destination_id, position);
CREATE INDEX delivery_by_status ON delivery (destination_id, status, position);
CREATE INDEX delivery_due ON delivery (destination_id, due) WHERE status = 'pending' AND due IS NOT NULL;
CREATE INDEX delivery_waiting ON delivery (destination_id, subject, position) WHERE status = 'pending';
CREATE INDEX delivery_by_age ON delivery (created_at);
--postgres ALTER TABLE delivery SET (autovacuum_vacuum_scale_factor = 0.02);

-- The answer to each attempt. `status` is empty where there was none, and `error` says why.
CREATE TABLE delivery_attempt (
    destination_id TEXT COLLATE "C" NOT NULL,
    message_id     TEXT COLLATE "C" NOT NULL,
    number         BIGINT NOT NULL,
    at             BIGINT NOT NULL,
    ms             BIGINT NOT NULL,
    status         BIGINT,
    error          TEXT,
    answer         TEXT NOT NULL,
    PRIMARY KEY (destination_id, message_id, number)
) WITHOUT ROWID;
CREATE INDEX delivery_attempt_by_time ON delivery_attempt (destination_id, at, number);

-- One row: the position up to which events were handed out.
CREATE TABLE webhook_head (
    id       BIGINT PRIMARY KEY,
    position BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO webhook_head (id, position) VALUES (1, 0);
