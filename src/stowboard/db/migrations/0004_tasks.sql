-- Tasks. `lane` is the column's id on a board, else made from owner and status; ranks order a lane.
-- `doc` is the task as answers show it, rendered when it was last written; `search` is its text in folded case.
-- `indexed_version` is the version that the index has: a writer that forgets the index leaves them different.
CREATE TABLE task (
    id              TEXT
--postgres COLLATE "C"
                    PRIMARY KEY,
    owner           TEXT NOT NULL,
    title           TEXT NOT NULL,
    body            TEXT,
    encrypted_body  BYTEA,
    visibility      TEXT NOT NULL,
    status          TEXT NOT NULL,
    due_at          BIGINT,
    reminder        BIGINT,
    recurrence      TEXT,
    time_zone       TEXT NOT NULL,
    anchor_at       BIGINT,
    completions     BIGINT NOT NULL,
    tags            TEXT NOT NULL,
    archived        BIGINT NOT NULL,
    idempotency_key TEXT,
    board_id        TEXT,
    column_id       TEXT,
    lane            TEXT NOT NULL,
    rank            TEXT
--postgres COLLATE "C"
                    NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    completed_at    BIGINT,
    version         BIGINT NOT NULL,
    doc             BYTEA NOT NULL,
    search          TEXT NOT NULL,
    indexed_version BIGINT
)
--sqlite WITHOUT ROWID
;
CREATE UNIQUE INDEX task_rank ON task (lane, rank);
CREATE UNIQUE INDEX task_key ON task (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX task_by_owner ON task (owner, id);
CREATE INDEX task_not_indexed ON task (owner, updated_at) WHERE indexed_version IS DISTINCT FROM version;

-- A body's idempotencyKey outlives its task by a day, so that a late retry cannot bring it back.
CREATE TABLE task_key_grave (
    owner      TEXT NOT NULL,
    key        TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (owner, key)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX task_key_grave_by_expiry ON task_key_grave (expires_at);

CREATE TABLE task_occurrence (
    task_id      TEXT
--postgres COLLATE "C"
                 NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    number       BIGINT NOT NULL,
    due_at       BIGINT,
    completed_at BIGINT NOT NULL,
    PRIMARY KEY (task_id, number)
)
--sqlite WITHOUT ROWID
;

CREATE TABLE board (
    id          TEXT
--postgres COLLATE "C"
                PRIMARY KEY,
    owner       TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
CREATE INDEX board_by_owner ON board (owner, id);

CREATE TABLE board_column (
    id          TEXT PRIMARY KEY,
    board_id    TEXT
--postgres COLLATE "C"
                NOT NULL REFERENCES board (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    status      TEXT NOT NULL,
    position    BIGINT NOT NULL,
    is_entry    BIGINT NOT NULL,
    is_terminal BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
CREATE INDEX board_column_by_board ON board_column (board_id, position);

-- The read model of lists and tags.
CREATE TABLE task_index (
    owner    TEXT NOT NULL,
    archived BIGINT NOT NULL,
    task_id  TEXT
--postgres COLLATE "C"
             NOT NULL,
    status   TEXT NOT NULL,
    board_id TEXT,
    due_at   BIGINT,
    PRIMARY KEY (owner, archived, task_id)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX task_index_by_status ON task_index (owner, archived, status, task_id);
CREATE INDEX task_index_by_board ON task_index (owner, archived, board_id, task_id) WHERE board_id IS NOT NULL;

CREATE TABLE task_tag (
    owner    TEXT NOT NULL,
    tag      TEXT
--postgres COLLATE "C"
             NOT NULL,
    archived BIGINT NOT NULL,
    task_id  TEXT
--postgres COLLATE "C"
             NOT NULL,
    PRIMARY KEY (owner, tag, archived, task_id)
)
--sqlite WITHOUT ROWID
;
CREATE INDEX task_tag_by_task ON task_tag (owner, task_id);

-- How many tasks that are not archived, and that are, have a tag.
CREATE TABLE task_tag_count (
    owner    TEXT NOT NULL,
    tag      TEXT
--postgres COLLATE "C"
             NOT NULL,
    active   BIGINT NOT NULL,
    archived BIGINT NOT NULL,
    PRIMARY KEY (owner, tag)
)
--sqlite WITHOUT ROWID
;

CREATE TABLE task_index_state (
    owner         TEXT PRIMARY KEY,
    index_version BIGINT NOT NULL,
    status        TEXT NOT NULL,
    position      TEXT NOT NULL,
    processed     BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
