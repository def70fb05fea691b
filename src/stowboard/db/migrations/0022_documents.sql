-- How many pictures an animation has, how many pages a document, how long a sound lasts, and how a text begins.
ALTER TABLE asset ADD COLUMN frames BIGINT;
ALTER TABLE asset ADD COLUMN pages BIGINT;
ALTER TABLE asset ADD COLUMN duration_ms BIGINT;
ALTER TABLE asset ADD COLUMN preview TEXT;
-- The picture that stands for a file: its size, as a JSON object. The picture itself is in `derived`, with the content.
ALTER TABLE asset ADD COLUMN poster TEXT;

-- Files that were there before are looked into by a job, if there are any.
INSERT INTO job (id, queue, kind, args, due, created_at)
SELECT 'job_describeold', 'sweep', 'media.describe_old',
--sqlite X'7B7D',
--postgres '\x7b7d'::bytea,
    now_ms(), now_ms()
WHERE EXISTS (SELECT 1 FROM asset WHERE kind = 'file' AND status <> 'pending');
