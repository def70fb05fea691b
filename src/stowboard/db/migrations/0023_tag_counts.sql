-- The number of tasks with a tag was one row. Tasks of one owner with the same tag that were created at one time waited
-- for each other, until each was committed. Now it is in parts: the last character of a task's id says in which.
CREATE TABLE task_tag_part (
    owner    TEXT NOT NULL,
    tag      TEXT
--postgres COLLATE "C"
             NOT NULL,
    part     BIGINT NOT NULL,
    active   BIGINT NOT NULL,
    archived BIGINT NOT NULL,
    PRIMARY KEY (owner, tag, part)
)
--sqlite WITHOUT ROWID
;
INSERT INTO task_tag_part (owner, tag, part, active, archived)
SELECT owner, tag,
--sqlite unicode(substr(task_id, -1)) % 16,
--postgres ascii(right(task_id, 1)) % 16,
    sum(1 - archived), sum(archived)
FROM task_tag
GROUP BY 1, 2, 3;

-- Nodes of the release before still add to the one row while all are replaced: it goes to a part, and the table stays
-- empty. They list no tags meanwhile.
DELETE FROM task_tag_count;
--postgres CREATE FUNCTION add_to_tag_part() RETURNS trigger LANGUAGE plpgsql AS $$
--postgres BEGIN
--postgres     INSERT INTO task_tag_part (owner, tag, part, active, archived)
--postgres     VALUES (new.owner, new.tag, 0, new.active, new.archived)
--postgres     ON CONFLICT (owner, tag, part) DO UPDATE SET active = task_tag_part.active + excluded.active,
--postgres     archived = task_tag_part.archived + excluded.archived;
--postgres     RETURN NULL;
--postgres END $$;
--postgres CREATE TRIGGER task_tag_count_added BEFORE INSERT ON task_tag_count
--postgres FOR EACH ROW EXECUTE FUNCTION add_to_tag_part();
