-- Tasks, boards, calendars and the keys of sealed bodies.

-- `lane` is the column's id on a board, else made from owner and status; ranks order a lane.
-- `priority` is 0 to 3. `attachments` is a JSON list of ids of assets and videos, each with whether it is gone;
-- `metadata` a JSON object, pairs of the owner's own. `doc` is the task as answers show it, rendered when it was last
-- written, but for its space and its extras: makers, assignees, checklist and the like. `more` has the extras as JSON;
-- NULL says that the owner alone has made and changed the task, and that it has none. `start_at` is one of them, for
-- lists; `told` a JSON list: the times of reminders that were told.
-- `archived` is 1 if the task is archived, and 2 more if it is in the trash, since `trashed_at`: lists ask for 0 or 1.
-- `due_on` is the day of a task that is due on one, `due_at` then the last second of it in `time_zone`.
-- `indexed_version` is the version that the index has: a writer that forgets the index leaves them different.
CREATE TABLE task (
    id              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    owner           TEXT NOT NULL,
    title           TEXT NOT NULL,
    body            TEXT,
    encrypted_body  BYTEA,
    visibility      TEXT NOT NULL,
    status          TEXT NOT NULL,
    priority        BIGINT NOT NULL DEFAULT 0,
    due_at          BIGINT,
    reminder        BIGINT,
    recurrence      TEXT,
    time_zone       TEXT NOT NULL,
    anchor_at       BIGINT,
    completions     BIGINT NOT NULL,
    tags            TEXT NOT NULL,
    attachments     TEXT NOT NULL DEFAULT '[]',
    metadata        TEXT NOT NULL DEFAULT '{}',
    archived        BIGINT NOT NULL,
    idempotency_key TEXT,
    board_id        TEXT,
    column_id       TEXT,
    lane            TEXT NOT NULL,
    rank            TEXT COLLATE "C" NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    completed_at    BIGINT,
    version         BIGINT NOT NULL,
    doc             BYTEA NOT NULL,
    indexed_version BIGINT,
    start_at        BIGINT,
    told            TEXT,
    more            BYTEA,
    trashed_at      BIGINT,
    due_on          TEXT
);
CREATE UNIQUE INDEX task_rank ON task (lane, rank);
-- With the index above it counts the visible tasks of a lane, and no row is read.
CREATE INDEX task_hidden ON task (lane, rank, archived) WHERE archived <> 0;
CREATE UNIQUE INDEX task_key ON task (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX task_by_owner ON task (owner, id);
CREATE INDEX task_not_indexed ON task (owner, updated_at) WHERE indexed_version IS DISTINCT FROM version;
-- An index for each order of lists.
CREATE INDEX task_by_update ON task (owner, archived, updated_at, id);
CREATE INDEX task_by_due ON task (owner, archived, status, due_at, id) WHERE due_at IS NOT NULL;

-- The trash: of an owner, and by age for the sweep.
CREATE INDEX task_trash ON task (owner, trashed_at, id) WHERE trashed_at IS NOT NULL;
CREATE INDEX task_trash_by_age ON task (trashed_at, id) WHERE trashed_at IS NOT NULL;

-- A body's idempotencyKey outlives its task by a day, so that a late retry cannot bring it back.
CREATE TABLE task_key_grave (
    owner      TEXT NOT NULL,
    key        TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (owner, key)
) WITHOUT ROWID;
CREATE INDEX task_key_grave_by_expiry ON task_key_grave (expires_at);

CREATE TABLE task_occurrence (
    task_id      TEXT COLLATE "C" NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    number       BIGINT NOT NULL,
    due_at       BIGINT,
    completed_at BIGINT NOT NULL,
    due_on       TEXT,
    PRIMARY KEY (task_id, number)
) WITHOUT ROWID;

-- The assets and videos that are attached to tasks, as long as they exist.
CREATE TABLE task_attachment (
    target  TEXT COLLATE "C" NOT NULL,
    owner   TEXT NOT NULL,
    task_id TEXT COLLATE "C" NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    PRIMARY KEY (target, owner, task_id)
) WITHOUT ROWID;
CREATE INDEX task_attachment_by_task ON task_attachment (task_id);

CREATE TABLE task_metadata (
    owner   TEXT NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    task_id TEXT COLLATE "C" NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    PRIMARY KEY (owner, name, value, task_id)
) WITHOUT ROWID;
CREATE INDEX task_metadata_by_task ON task_metadata (task_id);

-- The assignees of tasks, for lists: with the archive flag of the task.
CREATE TABLE task_assignee (
    owner    TEXT NOT NULL,
    member   TEXT NOT NULL,
    archived BIGINT NOT NULL,
    task_id  TEXT COLLATE "C" NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    PRIMARY KEY (owner, member, archived, task_id)
) WITHOUT ROWID;
CREATE INDEX task_assignee_by_task ON task_assignee (task_id);

-- Comments on tasks. `author` is NULL for a token of a space; `actor` the author in words, as in events. `mentions` are
-- usernames with spaces between them; `imported` (JSON) names the author elsewhere, and the time. `words` are those of
-- the body as search has them: a task is indexed with each new comment, and reads the words of the others here.
CREATE TABLE comment (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    subject    TEXT COLLATE "C" NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    author     TEXT,
    body       TEXT NOT NULL,
    mentions   TEXT NOT NULL,
    imported   TEXT,
    actor      TEXT,
    created_at BIGINT NOT NULL,
    edited_at  BIGINT,
    version    BIGINT NOT NULL,
    words      TEXT NOT NULL DEFAULT ''
);
CREATE INDEX comment_by_subject ON comment (subject, id);

-- People who follow a task, or do not want to, beside its maker and its assignees.
CREATE TABLE task_follower (
    task_id TEXT COLLATE "C" NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    person  TEXT NOT NULL,
    muted   BIGINT NOT NULL,
    PRIMARY KEY (task_id, person)
) WITHOUT ROWID;

CREATE TABLE board (
    id          TEXT COLLATE "C" PRIMARY KEY,
    owner       TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    created_by  TEXT,
    updated_by  TEXT,
    archived    BIGINT NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX board_by_owner ON board (owner, id);

CREATE TABLE board_column (
    id          TEXT PRIMARY KEY,
    board_id    TEXT COLLATE "C" NOT NULL REFERENCES board (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    status      TEXT NOT NULL,
    position    BIGINT NOT NULL,
    is_entry    BIGINT NOT NULL,
    is_terminal BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX board_column_by_board ON board_column (board_id, position);

-- The read model of lists and tags.
CREATE TABLE task_index (
    owner    TEXT NOT NULL,
    archived BIGINT NOT NULL,
    task_id  TEXT COLLATE "C" NOT NULL,
    status   TEXT NOT NULL,
    board_id TEXT,
    due_at   BIGINT,
    PRIMARY KEY (owner, archived, task_id)
) WITHOUT ROWID;
CREATE INDEX task_index_by_status ON task_index (owner, archived, status, task_id);
CREATE INDEX task_index_by_board ON task_index (owner, archived, board_id, task_id) WHERE board_id IS NOT NULL;

CREATE TABLE task_tag (
    owner    TEXT NOT NULL,
    tag      TEXT COLLATE "C" NOT NULL,
    archived BIGINT NOT NULL,
    task_id  TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, tag, archived, task_id)
) WITHOUT ROWID;
CREATE INDEX task_tag_by_task ON task_tag (owner, task_id);

-- How many tasks that are not archived, and that are, have a tag: in parts, of which the last character of a task's id
-- chooses one. Tasks of one owner with the same tag that are created at one time do not wait for each other.
CREATE TABLE task_tag_part (
    owner    TEXT NOT NULL,
    tag      TEXT COLLATE "C" NOT NULL,
    part     BIGINT NOT NULL,
    active   BIGINT NOT NULL,
    archived BIGINT NOT NULL,
    PRIMARY KEY (owner, tag, part)
) WITHOUT ROWID;

CREATE TABLE task_index_state (
    owner         TEXT PRIMARY KEY,
    index_version BIGINT NOT NULL,
    status        TEXT NOT NULL,
    position      TEXT NOT NULL,
    processed     BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
) WITHOUT ROWID;
-- A shared space is born with an active index; the Library is the first one.
INSERT INTO task_index_state (owner, index_version, status, position, processed, updated_at)
    VALUES ('spc_library', 1, 'active', '', 0, 0);

-- The secret addresses of an owner's calendars, as digests: one for each space, or for `all`.
CREATE TABLE calendar (
    owner        TEXT NOT NULL,
    space        TEXT NOT NULL,
    digest       BYTEA NOT NULL UNIQUE,
    titles       BIGINT NOT NULL,
    assigned     BIGINT NOT NULL,
    made_through TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (owner, space)
) WITHOUT ROWID;
CREATE INDEX calendar_made_through ON calendar (made_through) WHERE made_through <> '';
CREATE INDEX calendar_of_space ON calendar (space);

-- The keys with which owners seal bodies, each wrapped by a passphrase that the server never sees.
CREATE TABLE vault_key (
    owner      TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    file       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (owner, key_id)
) WITHOUT ROWID;

-- An import of boards and tasks from another program, and how far it has come: `next_part` is the next row of
-- `task_import_part`. `found`, `choices` and `counts` are JSON. `actor` is the author of what it
-- makes, in words; `created_by` and `made_through` are the owner and the program of the token that ran it.
CREATE TABLE task_import (
    id         TEXT COLLATE "C" PRIMARY KEY,
    owner      TEXT NOT NULL,
    kind       TEXT NOT NULL,
    filename   TEXT NOT NULL,
    time_zone  TEXT NOT NULL,
    status     TEXT NOT NULL,
    found      TEXT NOT NULL,
    choices    TEXT NOT NULL,
    counts     TEXT NOT NULL,
    next_part  BIGINT NOT NULL,
    parts      BIGINT NOT NULL,
    actor      TEXT,
    person     TEXT,
    created_by   TEXT,
    made_through TEXT,
    reason       TEXT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX task_import_by_owner ON task_import (owner, id);
CREATE INDEX task_import_by_maker ON task_import (created_by) WHERE status = 'running';
CREATE INDEX task_import_by_program ON task_import (made_through) WHERE status = 'running';
CREATE INDEX task_import_by_update ON task_import (updated_at);
CREATE TABLE task_import_part (
    import_id TEXT COLLATE "C" NOT NULL REFERENCES task_import (id) ON DELETE CASCADE,
    number    BIGINT NOT NULL,
    content   BYTEA NOT NULL,
    PRIMARY KEY (import_id, number)
);
-- What became of things in the file: of each board, task and file, and of all else that was not made.
CREATE TABLE task_import_line (
    import_id TEXT COLLATE "C" NOT NULL REFERENCES task_import (id) ON DELETE CASCADE,
    id        TEXT COLLATE "C" NOT NULL,
    source    TEXT NOT NULL,
    kind      TEXT NOT NULL,
    title     TEXT NOT NULL,
    outcome   TEXT NOT NULL,
    reason    TEXT,
    subject   TEXT,
    PRIMARY KEY (import_id, id)
);
CREATE INDEX task_import_line_by_outcome ON task_import_line (import_id, outcome, id);
-- The boards that imports have made, by their ids in the program that they come from.
CREATE TABLE task_import_board (
    owner    TEXT NOT NULL,
    source   TEXT NOT NULL,
    board_id TEXT COLLATE "C" NOT NULL REFERENCES board (id) ON DELETE CASCADE,
    PRIMARY KEY (owner, source)
) WITHOUT ROWID;
CREATE INDEX task_import_board_by_board ON task_import_board (board_id);
