-- Work for later. `due` is the time at which a job is due; for a claimed job the end of its lease, for a dead one the
-- time of its death. `token` is set while it is claimed. `again` is set if it was ordered again while it was claimed:
-- the hour of the clock for which it was ordered, or how long it waits, as a number that is not above 0. `waits_from`
-- is the start of a wait (a lease, a pause, a job for now), NULL for a job that is ordered for an hour of the clock.
-- `owner` is the one whose work it is, by whom claims go round; empty for the service's own.
CREATE TABLE job (
    id         TEXT PRIMARY KEY,
    queue      TEXT NOT NULL,
    kind       TEXT NOT NULL,
    owner      TEXT NOT NULL DEFAULT '',
    args       BYTEA NOT NULL,
    dedup      TEXT,
    due        BIGINT NOT NULL,
    again      BIGINT,
    waits_from BIGINT,
    attempt    BIGINT NOT NULL DEFAULT 0,
    token      TEXT,
    error      TEXT,
    dead       BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE INDEX job_due ON job (queue, due) WHERE dead = 0;
CREATE INDEX job_by_owner ON job (queue, owner, due) WHERE dead = 0 AND owner <> '';
CREATE UNIQUE INDEX job_dedup ON job (kind, dedup) WHERE dedup IS NOT NULL AND dead = 0;
CREATE INDEX job_dead ON job (due) WHERE dead = 1;
CREATE INDEX job_waiting ON job (waits_from) WHERE waits_from IS NOT NULL;
--postgres ALTER TABLE job SET (autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE schedule (
    name TEXT PRIMARY KEY,
    next BIGINT NOT NULL
);

-- The progress of a job of many steps: its owner reads this.
CREATE TABLE job_progress (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    owner      TEXT NOT NULL,
    status     TEXT NOT NULL,
    done       BIGINT NOT NULL,
    total      BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX job_progress_by_age ON job_progress (updated_at);
