-- A sheet of small pictures of a video, and what is on it (JSON).
ALTER TABLE video ADD COLUMN storyboard TEXT;
ALTER TABLE video ADD COLUMN storyboard_key TEXT;
ALTER TABLE video ADD COLUMN storyboard_sha256 TEXT;
CREATE INDEX video_by_storyboard ON video (storyboard_key) WHERE storyboard_key IS NOT NULL;

-- Captions of a video in one language, as WebVTT. The text is long, so rows are kept apart from their key.
CREATE TABLE video_caption (
    video_id   TEXT
--postgres COLLATE "C"
               NOT NULL REFERENCES video (id) ON DELETE CASCADE,
    language   TEXT
--postgres COLLATE "C"
               NOT NULL,
    label      TEXT NOT NULL,
    cues       BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    text       TEXT NOT NULL,
    PRIMARY KEY (video_id, language)
);
