"""Everything that is counted or indexed, compared with what a plain scan of the rows says."""

from typing import Any

from support.servers.stacks import on_postgres
from support.servers.stowboard import Server
from support.stored.rows import rows_of_all

#: Each statement finds rows that are wrong; a healthy database has none. `_OWN` has the names in braces.
SCANS = {
    "a task whose index is another version's": "SELECT id FROM task WHERE indexed_version IS DISTINCT FROM version",
    "a task that the index does not show as it is": """
        SELECT id FROM task LEFT JOIN task_index ON task_id = id AND task_index.owner = task.owner
        WHERE trashed_at IS NULL AND (task_index.archived IS DISTINCT FROM task.archived
        OR task_index.status IS DISTINCT FROM task.status OR task_index.board_id IS DISTINCT FROM task.board_id
        OR task_index.due_at IS DISTINCT FROM task.due_at)""",
    "an index row of a task that no list shows": """
        SELECT task_id FROM task_index WHERE task_id NOT IN (SELECT id FROM task WHERE trashed_at IS NULL)""",
    "a tag of a task that is not indexed": """
        SELECT id, owner, tag FROM ({tags}) AS tags WHERE trashed_at IS NULL
        EXCEPT SELECT task_id, owner, tag FROM task_tag""",
    "an indexed tag that the task has not": """
        SELECT task_id, owner, tag FROM task_tag
        EXCEPT SELECT id, owner, tag FROM ({tags}) AS tags WHERE trashed_at IS NULL""",
    "a count of a tag": """
        SELECT owner, tag, sum(active), sum(archived) FROM task_tag_part GROUP BY owner, tag
        EXCEPT SELECT owner, tag, sum(1 - archived), sum(archived) FROM task_tag GROUP BY owner, tag""",
    "a tag that is not counted": """
        SELECT owner, tag, sum(1 - archived), sum(archived) FROM task_tag GROUP BY owner, tag
        EXCEPT SELECT owner, tag, sum(active), sum(archived) FROM task_tag_part GROUP BY owner, tag""",
    "an attachment that its task does not name": """
        SELECT task_id, target FROM task_attachment JOIN task ON id = task_id
        WHERE attachments NOT LIKE '%' || target || '%'""",
    "a text of a task that nobody may find": """
        SELECT id FROM search_document
        WHERE id LIKE 'tsk%' AND id NOT IN (SELECT id FROM task WHERE trashed_at IS NULL)""",
    "a task that nobody finds": """
        SELECT id FROM task WHERE trashed_at IS NULL AND visibility <> 'zero-knowledge'
        AND id NOT IN (SELECT id FROM search_document)""",
    "a change of a thing that is gone": """
        SELECT subject FROM change WHERE subject NOT IN (
            SELECT id FROM task UNION ALL SELECT id FROM board
            UNION ALL SELECT id FROM asset UNION ALL SELECT id FROM video)""",
    "a reminder of a task that reminds of nothing": """
        SELECT dedup FROM job WHERE kind = 'tasks.remind' AND dedup NOT IN (
            SELECT id FROM task WHERE archived = 0 AND status <> 'done')""",
    "a task whose reminder nobody holds": """
        SELECT id FROM task WHERE archived = 0 AND status <> 'done' AND reminder IS NOT NULL AND told IS NULL
        AND id NOT IN (SELECT dedup FROM job WHERE kind = 'tasks.remind')""",
    "a lane with two tasks in one place": "SELECT lane, rank FROM task GROUP BY lane, rank HAVING count(*) > 1",
    "a task in a column that is not its board's": """
        SELECT id FROM task WHERE column_id IS NOT NULL
        AND (column_id, board_id) NOT IN (SELECT id, board_id FROM board_column)""",
    "a tag of an asset that is counted wrongly": """
        SELECT space, tag, sum(count) FROM asset_tag_part GROUP BY space, tag HAVING sum(count) > 0
        EXCEPT SELECT space, tag, count(*) FROM asset_tag GROUP BY space, tag""",
    "a count of assets": """
        SELECT space, kind, status, sum(count), sum(bytes) FROM media_stat_part WHERE resource = 'asset'
        GROUP BY space, kind, status HAVING sum(count) > 0
        EXCEPT SELECT space, kind, status, count(*), sum(
            CASE WHEN blob_key IS NOT NULL THEN size ELSE 0 END
            + coalesce({incoming_size}, 0)
        ) FROM asset WHERE trashed_at IS NULL GROUP BY space, kind, status""",
    "a count of the trash": """
        SELECT space, kind, sum(count) FROM media_stat_part WHERE resource = 'trash'
        GROUP BY space, kind HAVING sum(count) > 0
        EXCEPT SELECT space, 'asset', count(*) FROM asset WHERE trashed_at IS NOT NULL GROUP BY space
        EXCEPT SELECT space, 'video', count(*) FROM video WHERE trashed_at IS NOT NULL GROUP BY space""",
    "a count of versions": """
        SELECT space, kind, sum(count), sum(bytes) FROM media_stat_part WHERE resource = 'version'
        GROUP BY space, kind HAVING sum(count) > 0
        EXCEPT SELECT space, kind, count(*), sum(asset_version.size) FROM asset_version JOIN asset ON id = asset_id
        GROUP BY space, kind""",
    "a count of files that were made": """
        SELECT kind, sum(count), sum(bytes) FROM media_stat_part WHERE resource = 'made'
        GROUP BY kind HAVING sum(count) > 0
        EXCEPT SELECT 'class', count(*), sum(size) FROM derived
        EXCEPT SELECT 'rendition', count(*), sum(size) FROM video_rendition WHERE blob_key IS NOT NULL""",
    "a tag of an asset in the trash": """
        SELECT asset_id FROM asset_tag JOIN asset ON id = asset_id WHERE trashed_at IS NOT NULL""",
    "an asset whose content is missing": """
        SELECT id FROM asset WHERE status = 'ready' AND blob_key NOT IN (SELECT blob_key FROM content)""",
    "a content that nothing has": """
        SELECT sha256 FROM content WHERE sha256 NOT IN (SELECT sha256 FROM asset WHERE sha256 IS NOT NULL)
        AND sha256 NOT IN (SELECT sha256 FROM asset_version)""",
}
#: PostgreSQL holds foreign keys by itself, and its pages are not looked at here.
SCANS_OF_SQLITE = {
    "a foreign key": "SELECT * FROM pragma_foreign_key_check",
    "a damaged page": "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
}
_OWN = {
    "sqlite": {
        "tags": "SELECT task.id, owner, trashed_at, value AS tag FROM task, json_each(task.tags)",
        "incoming_size": "incoming ->> 'size'",
    },
    "postgres": {
        "tags": "SELECT id, owner, trashed_at, json_array_elements_text(tags::json) AS tag FROM task",
        "incoming_size": "(incoming::json ->> 'size')::bigint",
    },
}


def find_differences(server: Server) -> dict[str, list[tuple[Any, ...]]]:
    """By what is wrong, the first rows that show it. Nobody writes meanwhile."""
    scans, own = (SCANS, _OWN["postgres"]) if on_postgres(server) else (SCANS | SCANS_OF_SQLITE, _OWN["sqlite"])
    found = rows_of_all(server, [f"{sql.format_map(own)} LIMIT 3" for sql in scans.values()])
    return {what: wrong for what, wrong in zip(scans, found, strict=True) if wrong}
