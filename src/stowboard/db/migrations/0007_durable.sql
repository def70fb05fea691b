-- When a job began to wait, if it was told for how long and not until which hour of the clock.
ALTER TABLE job ADD COLUMN waits_from BIGINT;
CREATE INDEX job_waiting ON job (waits_from) WHERE waits_from IS NOT NULL;
