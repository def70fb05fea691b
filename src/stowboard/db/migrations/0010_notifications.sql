-- What people are told. `cause` is the event's id, or for several events that are told as one their common name. `space` is an
-- owner. `inbox` is 1 if it is shown in the inbox; `via` are the other ways on which it is sent, in words. `waits` is 1 while quiet
-- hours hold it back.
CREATE TABLE notification (
    id         TEXT
--postgres COLLATE "C"
               PRIMARY KEY,
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
    UNIQUE (person, cause, kind)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX notification_by_person ON notification (person, id) WHERE inbox = 1;
CREATE INDEX notification_unread ON notification (person, id) WHERE inbox = 1 AND read_at IS NULL;
CREATE INDEX notification_waiting ON notification (person, id) WHERE waits = 1;

-- One row: up to which position events were made into notifications.
CREATE TABLE notification_head (
    id       BIGINT PRIMARY KEY,
    position BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
INSERT INTO notification_head (id, position) VALUES (1, 0);
