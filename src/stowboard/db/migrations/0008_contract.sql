-- What a master playlist says of a step beside its size; NULL for those made before.
ALTER TABLE video_rung ADD COLUMN average_bandwidth BIGINT;
ALTER TABLE video_rung ADD COLUMN frame_rate TEXT;

-- Deletion has scopes of its own; who could delete before still can.
UPDATE access_token SET scopes = scopes || ' media:delete' WHERE ' ' || scopes || ' ' LIKE '% media:write %';
UPDATE access_token SET scopes = scopes || ' tasks:delete' WHERE ' ' || scopes || ' ' LIKE '% tasks:write %';
UPDATE oauth_client SET scopes = scopes || ' media:delete' WHERE ' ' || scopes || ' ' LIKE '% media:write %';
UPDATE oauth_client SET scopes = scopes || ' tasks:delete' WHERE ' ' || scopes || ' ' LIKE '% tasks:write %';
