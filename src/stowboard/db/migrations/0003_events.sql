-- Events, written in the transaction in which they happened. Feed, streams and webhooks read from here. `position` is
-- the place of an event in the order in which events are read. Positions are dense: the events between two of them can
-- be counted. SQLite has one writer, so an event has its position from the start. In PostgreSQL a number that is taken
-- early may be committed late: there an event has none until a sequencer places what was committed, in the order of
-- `seq`. `actor` is the author, in words: token, application, door, person; NULL for the service itself.
CREATE TABLE event (
    id         TEXT COLLATE "C" PRIMARY KEY,
    type       TEXT NOT NULL,
    owner      TEXT NOT NULL,
    subject    TEXT NOT NULL,
    data       BYTEA NOT NULL,
    actor      TEXT,
    created_at BIGINT NOT NULL,
    position   BIGINT
--sqlite        NOT NULL
--postgres    , seq BIGINT GENERATED ALWAYS AS IDENTITY
) WITHOUT ROWID;
CREATE UNIQUE INDEX event_by_position ON event (position) WHERE position IS NOT NULL;
--postgres CREATE INDEX event_unplaced ON event (seq) WHERE position IS NULL;
--postgres ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.02);

-- One row: the last position that was given, and the last one whose event was swept away. On SQLite the last event
-- tells the head: to move a head as well would be one more page to write with every commit. There `position` is the
-- head at the last sweep, for when no event is left.
CREATE TABLE feed_head (
    id       BIGINT PRIMARY KEY,
    position BIGINT NOT NULL,
    swept    BIGINT NOT NULL
) WITHOUT ROWID;
INSERT INTO feed_head (id, position, swept) VALUES (1, 0, 0);

--sqlite CREATE VIEW feed AS SELECT max(position, ifnull((SELECT position FROM event WHERE position > 0
--sqlite     ORDER BY position DESC LIMIT 1), 0)) AS position, swept FROM feed_head;
--sqlite CREATE VIEW next_position AS SELECT position + 1 AS position FROM feed;
--postgres CREATE VIEW feed AS SELECT position, swept FROM feed_head;
--postgres CREATE VIEW next_position AS SELECT NULL::bigint AS position;

-- History: one row for each change of a task, an asset or a video. `owner` is the space in which it happened; `version`
-- orders the changes of one subject. `changed` names the members that were changed, and `before` has their values until
-- then, as JSON; a member that is not kept is in the first alone. The four columns of the actor are NULL for the
-- service itself. `undoes` is the change that this one takes back or brings back, `undone_by` the one that took this
-- one back.
CREATE TABLE change (
    id             TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    owner          TEXT NOT NULL,
    subject        TEXT COLLATE "C" NOT NULL,
    version        BIGINT NOT NULL,
    kind           TEXT NOT NULL,
    changed        TEXT NOT NULL,
    before         BYTEA NOT NULL,
    token_id       TEXT,
    application_id TEXT,
    door           TEXT,
    person         TEXT,
    undoes         TEXT,
    undone_by      TEXT,
    created_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX change_by_subject ON change (subject, version);
CREATE INDEX change_by_owner ON change (owner, id);
