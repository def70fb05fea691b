-- What a camera wrote about a picture: when it was taken, with what, and where (a JSON object).
ALTER TABLE asset ADD COLUMN taken_at BIGINT;
ALTER TABLE asset ADD COLUMN camera TEXT;
ALTER TABLE asset ADD COLUMN location TEXT;
-- Whether the place is to be taken out of what is uploaded.
ALTER TABLE upload ADD COLUMN strip_location BIGINT NOT NULL DEFAULT 0;
CREATE INDEX asset_by_taken ON asset (taken_at, id) WHERE status <> 'pending' AND taken_at IS NOT NULL;
CREATE INDEX asset_unready_by_taken ON asset (status, taken_at, id) WHERE status <> 'ready' AND taken_at IS NOT NULL;
