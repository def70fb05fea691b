-- How many bytes each owner's assets and videos have, counted as they change.
CREATE TABLE media_usage (
    owner TEXT PRIMARY KEY,
    bytes BIGINT NOT NULL
)
--sqlite WITHOUT ROWID
;
INSERT INTO media_usage (owner, bytes)
SELECT created_by, CAST(SUM(size) AS BIGINT) FROM (
    SELECT created_by, size FROM asset UNION ALL SELECT created_by, COALESCE(size, 0) FROM video
) AS owned GROUP BY created_by;

-- What the header Upload-Concat said: `partial`, or `final;` and the addresses of the parts.
ALTER TABLE upload ADD COLUMN concat TEXT;
