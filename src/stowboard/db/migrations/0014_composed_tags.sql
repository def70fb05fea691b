-- Tags are composed (NFC) when they are stored. Those that were stored before that was so are written anew by jobs, if
-- there is a letter beyond ASCII in any of them.
INSERT INTO job (id, queue, kind, args, due, created_at)
SELECT 'job_composetasks', 'sweep', 'tasks.compose_tags',
--sqlite X'7B7D',
--postgres '\x7b7d'::bytea,
    now_ms(), now_ms()
--sqlite WHERE EXISTS (SELECT 1 FROM task WHERE length(CAST(tags AS BLOB)) > length(tags));
--postgres WHERE EXISTS (SELECT 1 FROM task WHERE octet_length(tags) > length(tags));

INSERT INTO job (id, queue, kind, args, due, created_at)
SELECT 'job_composeassets', 'sweep', 'media.compose_asset_tags',
--sqlite X'7B7D',
--postgres '\x7b7d'::bytea,
    now_ms(), now_ms()
--sqlite WHERE EXISTS (SELECT 1 FROM asset WHERE length(CAST(tags AS BLOB)) > length(tags));
--postgres WHERE EXISTS (SELECT 1 FROM asset WHERE octet_length(tags) > length(tags));

INSERT INTO job (id, queue, kind, args, due, created_at)
SELECT 'job_composevideos', 'sweep', 'media.compose_video_tags',
--sqlite X'7B7D',
--postgres '\x7b7d'::bytea,
    now_ms(), now_ms()
--sqlite WHERE EXISTS (SELECT 1 FROM video WHERE length(CAST(tags AS BLOB)) > length(tags));
--postgres WHERE EXISTS (SELECT 1 FROM video WHERE octet_length(tags) > length(tags));
