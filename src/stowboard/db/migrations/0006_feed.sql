-- The place of each event in the order in which they are read. Dense: what is between two positions can be counted.
ALTER TABLE event ADD COLUMN position BIGINT;

-- One row: the last position that was given, and the last one whose event was swept away.
CREATE TABLE feed_head (
    id       BIGINT PRIMARY KEY,
    position BIGINT NOT NULL,
    swept    BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;

-- Events of before are placed by their ids, which tell when they were made.
UPDATE event SET position = placed.position
FROM (SELECT id, row_number() OVER (ORDER BY id) AS position FROM event) AS placed WHERE event.id = placed.id;
INSERT INTO feed_head (id, position, swept) SELECT 1, count(*), 0 FROM event;

CREATE UNIQUE INDEX event_by_position ON event (position) WHERE position IS NOT NULL;

-- SQLite has one writer, so an event has its position from the start. In PostgreSQL a number that is taken early may be
-- committed late: there an event has none until a sequencer places what was committed, in the order of `seq`.
--sqlite CREATE VIEW next_position AS SELECT position + 1 AS position FROM feed_head;
--sqlite CREATE TRIGGER event_is_placed AFTER INSERT ON event WHEN NEW.position IS NOT NULL
--sqlite BEGIN UPDATE feed_head SET position = max(position, NEW.position); END;
--sqlite CREATE INDEX event_unplaced ON event (id) WHERE position IS NULL;
--postgres CREATE VIEW next_position AS SELECT NULL::bigint AS position;
--postgres ALTER TABLE event ADD COLUMN seq BIGINT GENERATED ALWAYS AS IDENTITY;
--postgres CREATE INDEX event_unplaced ON event (seq) WHERE position IS NULL;
--postgres ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.02);
