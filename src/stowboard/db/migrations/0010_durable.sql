-- When a job began to wait, if it was told for how long and not until which hour of the clock. `again` is then how long,
-- as a number that is not above 0.
ALTER TABLE job ADD COLUMN waits_from BIGINT;
CREATE INDEX job_waiting ON job (waits_from) WHERE waits_from IS NOT NULL;

-- Since when bytes are known to be damaged: they are not what their SHA-256 says. Of a video, which of its files are:
-- a JSON list of `source`, `poster` and names of rungs.
ALTER TABLE content ADD COLUMN damaged_at BIGINT;
ALTER TABLE asset ADD COLUMN damaged_at BIGINT;
ALTER TABLE video ADD COLUMN damaged TEXT NOT NULL DEFAULT '[]';
CREATE INDEX asset_damaged ON asset (id) WHERE damaged_at IS NOT NULL;
CREATE INDEX video_damaged ON video (id) WHERE damaged <> '[]';

-- What is in the store under a key, for rows that did not say so yet; NULL until the bytes are first read.
ALTER TABLE derived ADD COLUMN blob_sha256 TEXT;
ALTER TABLE video ADD COLUMN blob_sha256 TEXT;
ALTER TABLE video ADD COLUMN poster_sha256 TEXT;
ALTER TABLE video_rung ADD COLUMN blob_sha256 TEXT;
