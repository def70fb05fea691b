-- Notifications: each is one thing that one person is told. `cause` is the event's id, or for several events that are
-- told as one their common name. `space` is an owner. `inbox` is 1 if it is shown in the inbox; `via` are the other
-- ways on which it is sent, in words. `waits` is 1 while quiet hours hold it back.
CREATE TABLE notification (
    id         TEXT COLLATE "C" PRIMARY KEY,
    person     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    space      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    cause      TEXT NOT NULL,
    actor      TEXT,
    inbox      BIGINT NOT NULL,
    via        TEXT NOT NULL,
    waits      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    read_at    BIGINT,
    UNIQUE (cause, person, kind)
) WITHOUT ROWID;
CREATE INDEX notification_by_person ON notification (person, id) WHERE inbox = 1;
CREATE INDEX notification_unread ON notification (person, id) WHERE inbox = 1 AND read_at IS NULL;
CREATE INDEX notification_waiting ON notification (person, id) WHERE waits = 1;

-- One row: the position up to which events were made into notifications.
CREATE TABLE notification_head (
    id       BIGINT PRIMARY KEY,
    position BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO notification_head (id, position) VALUES (1, 0);

-- The ways on which a person is told of a kind, in words; empty for none. `scope` is `all`, a space or a board, as the
-- wire names it.
CREATE TABLE notification_rule (
    person   TEXT NOT NULL,
    scope    TEXT NOT NULL,
    kind     TEXT NOT NULL,
    channels TEXT NOT NULL,
    PRIMARY KEY (person, scope, kind)
) WITHOUT ROWID;

-- A browser or another address of a person. `digest` is of the address; `address` is sealed. `off_reason` says why
-- nothing is sent to it.
CREATE TABLE notification_channel (
    id            TEXT COLLATE "C" PRIMARY KEY,
    person        TEXT NOT NULL,
    format        TEXT NOT NULL,
    name          TEXT NOT NULL,
    host          TEXT NOT NULL,
    titles        BIGINT NOT NULL,
    origin        TEXT NOT NULL,
    digest        BYTEA NOT NULL UNIQUE,
    address       BYTEA NOT NULL,
    seen_at       BIGINT NOT NULL,
    failures      BIGINT NOT NULL,
    failing_since BIGINT,
    resting_until BIGINT NOT NULL,
    off_reason    TEXT,
    created_at    BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX notification_channel_by_person ON notification_channel (person, id);
CREATE INDEX notification_channel_browsers ON notification_channel (seen_at) WHERE format = 'webpush';
