-- Assets, uploads and videos.

-- Bytes of assets, each distinct content once, named by its SHA-256. Assets and their versions point here; a content
-- that neither has goes.
-- `damaged_at` is the time at which the bytes were found to differ from their SHA-256.
CREATE TABLE content (
    sha256     TEXT PRIMARY KEY,
    blob_key   TEXT NOT NULL UNIQUE,
    size       BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    damaged_at BIGINT,
    ends_sha256 TEXT
) WITHOUT ROWID;

-- Images that were made of a content: one row for each recipe (what was done) and format (what it was saved as).
-- `blob_sha256` is NULL until the bytes are first read.
CREATE TABLE derived (
    sha256      TEXT NOT NULL REFERENCES content (sha256) ON DELETE CASCADE,
    recipe      TEXT NOT NULL,
    format      TEXT NOT NULL,
    blob_key    TEXT NOT NULL UNIQUE,
    blob_sha256 TEXT,
    size        BIGINT NOT NULL,
    width       BIGINT NOT NULL,
    height      BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (sha256, recipe, format)
) WITHOUT ROWID;

-- `sha256` and `blob_key` are the bytes that are served, NULL before the first. `incoming` (JSON) are bytes that
-- arrived and wait to be processed; they are in the store already, and `incoming_key` has their key for the sweep.
-- `epoch` is in every signature: raising it ends signed URLs. `focus` counts changes of the focal point: it is in the
-- URL of cropped images. The id tells when it was created. `taken_at`, `camera` and `location` (a JSON object) are what
-- a camera wrote about a picture. `frames` are the pictures of an animation, `pages` those of a document, `duration_ms`
-- is the length of audio, `preview` the start of a text. `poster` is the size of the picture that stands for a file, as
-- a JSON object; the picture itself is in `derived`. `space` is the owner whose library it is in. Lists of a space have
-- an index for each order, and one for those that are not ready: lists of many do not pass over pending ones, and lists
-- of few find them. `trashed_at` is when it was put into the trash: it is then in none of these indexes, and has no
-- rows of tags, metadata and search.
CREATE TABLE asset (
    id                 TEXT COLLATE "C" PRIMARY KEY,
    space              TEXT COLLATE "C" NOT NULL,
    kind               TEXT NOT NULL,
    filename           TEXT COLLATE "C" NOT NULL,
    original_name      TEXT,
    tags               TEXT NOT NULL,
    alt                TEXT,
    title              TEXT,
    metadata           TEXT NOT NULL DEFAULT '{}',
    focal_point        TEXT,
    visibility         TEXT NOT NULL,
    allowed_namespaces TEXT,
    status             TEXT NOT NULL,
    error_code         TEXT,
    error_message      TEXT,
    sha256             TEXT REFERENCES content (sha256),
    blob_key           TEXT,
    damaged_at         BIGINT,
    mime_type          TEXT NOT NULL,
    size               BIGINT NOT NULL,
    width              BIGINT,
    height             BIGINT,
    placeholder        TEXT,
    taken_at           BIGINT,
    camera             TEXT,
    location           TEXT,
    frames             BIGINT,
    pages              BIGINT,
    duration_ms        BIGINT,
    preview            TEXT,
    poster             TEXT,
    incoming           TEXT,
    incoming_key       TEXT,
    version            BIGINT NOT NULL,
    focus              BIGINT NOT NULL,
    epoch              BIGINT NOT NULL,
    created_by         TEXT NOT NULL,
    sent_by            TEXT NOT NULL,
    updated_at         BIGINT NOT NULL,
    replaced_at        BIGINT,
    trashed_at         BIGINT
) WITHOUT ROWID;
CREATE INDEX asset_by_content ON asset (sha256, space, id, trashed_at) WHERE sha256 IS NOT NULL;
CREATE INDEX asset_by_incoming ON asset (incoming_key) WHERE incoming_key IS NOT NULL;
CREATE INDEX asset_by_status ON asset (space, status, id) WHERE trashed_at IS NULL;
CREATE INDEX asset_listed ON asset (space, id) WHERE status <> 'pending' AND trashed_at IS NULL;
CREATE INDEX asset_by_kind ON asset (space, kind, id) WHERE status <> 'pending' AND trashed_at IS NULL;
CREATE INDEX asset_by_update ON asset (space, updated_at, id) WHERE status <> 'pending' AND trashed_at IS NULL;
CREATE INDEX asset_by_filename ON asset (space, filename, id) WHERE status <> 'pending' AND trashed_at IS NULL;
CREATE INDEX asset_by_size ON asset (space, size, id) WHERE status <> 'pending' AND trashed_at IS NULL;
CREATE INDEX asset_by_taken ON asset (space, taken_at, id)
    WHERE status <> 'pending' AND trashed_at IS NULL AND taken_at IS NOT NULL;
CREATE INDEX asset_unready_by_update ON asset (space, status, updated_at, id)
    WHERE status <> 'ready' AND trashed_at IS NULL;
CREATE INDEX asset_unready_by_filename ON asset (space, status, filename, id)
    WHERE status <> 'ready' AND trashed_at IS NULL;
CREATE INDEX asset_unready_by_size ON asset (space, status, size, id) WHERE status <> 'ready' AND trashed_at IS NULL;
CREATE INDEX asset_unready_by_taken ON asset (space, status, taken_at, id)
    WHERE status <> 'ready' AND trashed_at IS NULL AND taken_at IS NOT NULL;
CREATE INDEX asset_damaged ON asset (id) WHERE damaged_at IS NOT NULL;
CREATE INDEX asset_trashed ON asset (space, trashed_at, id) WHERE trashed_at IS NOT NULL;
CREATE INDEX asset_purgeable ON asset (trashed_at, id) WHERE trashed_at IS NOT NULL;

-- Bytes that an asset had before they were replaced. `sent_by` is the owner whose quota they use. `facts` (JSON) is what was found in them, so that they can be the
-- asset's again at once.
CREATE TABLE asset_version (
    asset_id      TEXT COLLATE "C" NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
    version       BIGINT NOT NULL,
    sha256        TEXT NOT NULL REFERENCES content (sha256),
    size          BIGINT NOT NULL,
    facts         TEXT NOT NULL,
    original_name TEXT,
    sent_by       TEXT NOT NULL,
    replaced_at   BIGINT NOT NULL,
    replaced_by   TEXT,
    PRIMARY KEY (asset_id, version)
) WITHOUT ROWID;
CREATE INDEX asset_version_by_content ON asset_version (sha256);
CREATE INDEX asset_version_by_time ON asset_version (replaced_at, asset_id, version);

-- Tags of assets that are not pending.
CREATE TABLE asset_tag (
    space    TEXT COLLATE "C" NOT NULL,
    tag      TEXT COLLATE "C" NOT NULL,
    asset_id TEXT COLLATE "C" NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
    PRIMARY KEY (space, tag, asset_id)
) WITHOUT ROWID;
CREATE INDEX asset_tag_by_asset ON asset_tag (asset_id);

-- How many assets of a space have a tag. The count is the sum of its parts, so that few writers wait for each other.
CREATE TABLE asset_tag_part (
    space TEXT COLLATE "C" NOT NULL,
    tag   TEXT COLLATE "C" NOT NULL,
    part  BIGINT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (space, tag, part)
) WITHOUT ROWID;

CREATE TABLE asset_metadata (
    space    TEXT COLLATE "C" NOT NULL,
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,
    asset_id TEXT COLLATE "C" NOT NULL REFERENCES asset (id) ON DELETE CASCADE,
    PRIMARY KEY (space, name, value, asset_id)
) WITHOUT ROWID;
CREATE INDEX asset_metadata_by_asset ON asset_metadata (asset_id);

-- Number and bytes of the files of a space, in parts. `resource` is `asset`, `video`, `version`, `trash` or `made`.
-- Files that were `made` of others are counted for the installation: their space is empty.
CREATE TABLE media_stat_part (
    space    TEXT COLLATE "C" NOT NULL,
    resource TEXT NOT NULL,
    kind     TEXT NOT NULL,
    status   TEXT NOT NULL,
    part     BIGINT NOT NULL,
    count    BIGINT NOT NULL,
    bytes    BIGINT NOT NULL,
    PRIMARY KEY (space, resource, kind, status, part)
) WITHOUT ROWID;

-- Bytes of the assets and videos that each owner made, with their versions, in parts; counted as they change. `spare`
-- is how many of these bytes are versions, or in the trash.
CREATE TABLE media_usage_part (
    owner TEXT NOT NULL,
    part  BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    spare BIGINT NOT NULL,
    PRIMARY KEY (owner, part)
) WITHOUT ROWID;

-- Bytes on their way: a pre-signed upload or a video's. `received` is what is durable; it moves only for the `holder`,
-- the request that writes at present, if it told so. `generation` counts fresh starts by a POST, each with a blob_key
-- of its own, which is a blob once the upload is `complete`. `parts` counts the numbers of parts that were given. `url`
-- is the address from which the service itself still has to fetch the bytes. `concat` is the header Upload-Concat:
-- `partial`, or `final;` and the addresses of the parts. With `strip_location` the place is taken out of the bytes.
-- `space` is that of the asset or video. `made_through` is the grant, OAuth client or token that it was made with.
CREATE TABLE upload (
    id             TEXT COLLATE "C" PRIMARY KEY,
    token_digest   BYTEA NOT NULL UNIQUE,
    purpose        TEXT NOT NULL,
    subject        TEXT NOT NULL,
    state          TEXT NOT NULL,
    generation     BIGINT NOT NULL,
    blob_key       TEXT NOT NULL,
    handle         TEXT,
    parts          BIGINT NOT NULL,
    length         BIGINT,
    received       BIGINT NOT NULL,
    holder         TEXT,
    concat         TEXT,
    metadata       TEXT,
    mime_type      TEXT,
    name           TEXT,
    checksum       TEXT,
    url            TEXT,
    strip_location BIGINT NOT NULL DEFAULT 0,
    space          TEXT COLLATE "C" NOT NULL,
    created_by     TEXT NOT NULL,
    made_through   TEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX upload_made_through ON upload (made_through) WHERE state = 'open' AND made_through <> '';
CREATE INDEX upload_by_subject ON upload (subject);
CREATE INDEX upload_by_key ON upload (blob_key);
CREATE INDEX upload_by_expiry ON upload (expires_at);
CREATE INDEX upload_open ON upload (space, expires_at) WHERE state = 'open';
-- Uploads whose bytes count by themselves, not as an asset or a video yet.
CREATE INDEX upload_counted ON upload (created_by) WHERE state = 'open' OR (state = 'complete' AND purpose = 'part');
CREATE INDEX upload_to_fetch ON upload (created_by, id) WHERE url IS NOT NULL;

-- Pieces of an upload that lie in a bucket: parts of its multipart upload, with number and etag, and at the end perhaps
-- an object of its own (blob_key) that is not large enough to be one. In the order of `start` they are all the bytes.
CREATE TABLE upload_piece (
    upload_id TEXT COLLATE "C" NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
    start     BIGINT NOT NULL,
    size      BIGINT NOT NULL,
    number    BIGINT,
    etag      TEXT,
    blob_key  TEXT,
    PRIMARY KEY (upload_id, start)
) WITHOUT ROWID;
CREATE INDEX upload_piece_by_key ON upload_piece (blob_key) WHERE blob_key IS NOT NULL;

-- `blob_sha256` and its like are NULL until the bytes are first read. `damaged` is a JSON list of the files that are
-- not as they were: `source`, `poster` and names of renditions. `storyboard` says what is on the sheet of small
-- pictures (JSON).
CREATE TABLE video (
    id                TEXT COLLATE "C" PRIMARY KEY,
    space             TEXT COLLATE "C" NOT NULL,
    provider_video_id TEXT NOT NULL UNIQUE,
    title             TEXT COLLATE "C" NOT NULL,
    tags              TEXT NOT NULL,
    metadata          TEXT NOT NULL DEFAULT '{}',
    status            TEXT NOT NULL,
    visibility        TEXT NOT NULL,
    upload_id         TEXT NOT NULL,
    blob_key          TEXT,
    blob_sha256       TEXT,
    ends_sha256       TEXT,
    damaged           TEXT NOT NULL DEFAULT '[]',
    size              BIGINT,
    mime_type         TEXT,
    duration_ms       BIGINT,
    width             BIGINT,
    height            BIGINT,
    poster_key        TEXT,
    poster_sha256     TEXT,
    storyboard        TEXT,
    storyboard_key    TEXT,
    storyboard_sha256 TEXT,
    error_code        TEXT,
    error_message     TEXT,
    epoch             BIGINT NOT NULL,
    created_by        TEXT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    finalized_at      BIGINT,
    trashed_at        BIGINT
) WITHOUT ROWID;
CREATE INDEX video_listed ON video (space, id) WHERE trashed_at IS NULL;
CREATE INDEX video_by_status ON video (space, status, id) WHERE trashed_at IS NULL;
CREATE INDEX video_by_update ON video (space, updated_at, id) WHERE trashed_at IS NULL;
CREATE INDEX video_by_title ON video (space, title, id) WHERE trashed_at IS NULL;
CREATE INDEX video_by_size ON video (space, size, id) WHERE size IS NOT NULL AND trashed_at IS NULL;
CREATE INDEX video_by_key ON video (blob_key) WHERE blob_key IS NOT NULL;
CREATE INDEX video_by_poster ON video (poster_key) WHERE poster_key IS NOT NULL;
CREATE INDEX video_by_storyboard ON video (storyboard_key) WHERE storyboard_key IS NOT NULL;
CREATE INDEX video_damaged ON video (id) WHERE damaged <> '[]';
CREATE INDEX video_trashed ON video (space, trashed_at, id) WHERE trashed_at IS NOT NULL;
CREATE INDEX video_purgeable ON video (trashed_at, id) WHERE trashed_at IS NOT NULL;

CREATE TABLE video_tag (
    space    TEXT COLLATE "C" NOT NULL,
    tag      TEXT COLLATE "C" NOT NULL,
    video_id TEXT COLLATE "C" NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    PRIMARY KEY (space, tag, video_id)
) WITHOUT ROWID;
CREATE INDEX video_tag_by_video ON video_tag (video_id);

CREATE TABLE video_metadata (
    space    TEXT COLLATE "C" NOT NULL,
    name     TEXT NOT NULL,
    value    TEXT NOT NULL,
    video_id TEXT COLLATE "C" NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    PRIMARY KEY (space, name, value, video_id)
) WITHOUT ROWID;
CREATE INDEX video_metadata_by_video ON video_metadata (video_id);

-- One step of a video's ladder: a file of fragments and the playlist into it, both NULL until it is made.
CREATE TABLE video_rendition (
    video_id          TEXT COLLATE "C" NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    name              TEXT NOT NULL,
    width             BIGINT NOT NULL,
    height            BIGINT NOT NULL,
    bandwidth         BIGINT NOT NULL,
    average_bandwidth BIGINT,
    frame_rate        TEXT,
    codecs            TEXT NOT NULL,
    progress          BIGINT NOT NULL,
    playlist          TEXT,
    blob_key          TEXT,
    blob_sha256       TEXT,
    ends_sha256       TEXT,
    size              BIGINT,
    PRIMARY KEY (video_id, name)
) WITHOUT ROWID;
CREATE INDEX video_rendition_by_key ON video_rendition (blob_key) WHERE blob_key IS NOT NULL;

-- Captions of a video in one language, as WebVTT. The text is long, so rows are kept apart from their key.
CREATE TABLE video_caption (
    video_id   TEXT COLLATE "C" NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    language   TEXT COLLATE "C" NOT NULL,
    label      TEXT NOT NULL,
    cues       BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    text       TEXT NOT NULL,
    PRIMARY KEY (video_id, language)
);
