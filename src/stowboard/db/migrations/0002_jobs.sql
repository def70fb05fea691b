-- Work for later. `due` is the time a job is due, once it is claimed the time its lease ends, and when it is dead
-- the time it died. `token` is set while it is claimed. `again` is set when it was ordered anew while claimed.
CREATE TABLE job (
    id         TEXT PRIMARY KEY,
    queue      TEXT NOT NULL,
    kind       TEXT NOT NULL,
    args       BYTEA NOT NULL,
    dedup      TEXT,
    due        BIGINT NOT NULL,
    again      BIGINT,
    attempt    BIGINT NOT NULL DEFAULT 0,
    token      TEXT,
    error      TEXT,
    dead       BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE INDEX job_due ON job (queue, due) WHERE dead = 0;
CREATE UNIQUE INDEX job_dedup ON job (kind, dedup) WHERE dedup IS NOT NULL AND dead = 0;
CREATE INDEX job_dead ON job (due) WHERE dead = 1;

CREATE TABLE schedule (
    name TEXT PRIMARY KEY,
    next BIGINT NOT NULL
);
--postgres ALTER TABLE job SET (autovacuum_vacuum_scale_factor = 0.02);
