-- How urgent a task is, 0 to 3; its assets and videos, a JSON list of ids, each with whether it is gone; and pairs of its
-- owner's own, a JSON object. What lists show of a task is rendered in its row, so each gets the new members there.
ALTER TABLE task ADD COLUMN priority BIGINT NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]';
ALTER TABLE task ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
--sqlite UPDATE task SET doc = CAST(substr(doc, 1, length(doc) - 1) || ',"priority":0,"attachments":[],"metadata":{}}' AS BLOB);
--postgres UPDATE task SET doc = substring(doc FROM 1 FOR octet_length(doc) - 1) || convert_to(',"priority":0,"attachments":[],"metadata":{}}', 'UTF8');

-- What a kept answer speaks of, if it is more than one thing: `idempotency.subject` is then `*`.
CREATE TABLE idempotency_subject (
    scope      TEXT NOT NULL,
    key_digest BYTEA NOT NULL,
    subject    TEXT NOT NULL,
    PRIMARY KEY (scope, key_digest, subject),
    FOREIGN KEY (scope, key_digest) REFERENCES idempotency (scope, key_digest) ON DELETE CASCADE
)
--sqlite WITHOUT ROWID
;
CREATE INDEX idempotency_by_subjects ON idempotency_subject (subject);

-- Which tasks have what attached, as long as it is there: an asset or a video.
CREATE TABLE task_attachment (
    target  TEXT
--postgres COLLATE "C"
            NOT NULL,
    owner   TEXT NOT NULL,
    task_id TEXT
--postgres COLLATE "C"
            NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    PRIMARY KEY (target, owner, task_id)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX task_attachment_by_task ON task_attachment (task_id);

-- An index for each order of lists.
CREATE INDEX task_by_update ON task (owner, archived, updated_at, id);
DROP INDEX task_by_due;
CREATE INDEX task_by_due ON task (owner, archived, status, due_at, id) WHERE due_at IS NOT NULL;
DROP INDEX asset_by_content;
CREATE INDEX asset_by_content ON asset (sha256, id) WHERE sha256 IS NOT NULL;

-- Pairs of a caller's own, of assets and videos as well, and who has which.
ALTER TABLE asset ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
ALTER TABLE video ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
CREATE TABLE task_metadata (
    owner   TEXT NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    task_id TEXT
--postgres COLLATE "C"
            NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    PRIMARY KEY (owner, name, value, task_id)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX task_metadata_by_task ON task_metadata (task_id);
CREATE TABLE asset_metadata (
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,
    asset_id TEXT
--postgres COLLATE "C"
             NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
    PRIMARY KEY (name, value, asset_id)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX asset_metadata_by_asset ON asset_metadata (asset_id);
CREATE TABLE video_metadata (
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,
    video_id TEXT
--postgres COLLATE "C"
             NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    PRIMARY KEY (name, value, video_id)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX video_metadata_by_video ON video_metadata (video_id);

-- How far a job of many steps is, for who ordered it.
CREATE TABLE job_progress (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    owner      TEXT NOT NULL,
    status     TEXT NOT NULL,
    done       BIGINT NOT NULL,
    total      BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
CREATE INDEX job_progress_by_age ON job_progress (updated_at);
