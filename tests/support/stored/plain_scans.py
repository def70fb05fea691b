"""Everything that is counted or indexed, compared with what a plain scan of the rows says. For SQLite."""

from typing import Any

import apsw

from support.servers.stowboard import Server

#: Each statement finds rows that are wrong; a healthy database has none.
SCANS = {
    "a task whose index is another version's": "SELECT id FROM task WHERE indexed_version IS NOT version",
    "a task that the index does not show as it is": """
        SELECT id FROM task LEFT JOIN task_index ON task_id = id AND task_index.owner = task.owner
        WHERE task_index.archived IS NOT task.archived OR task_index.status IS NOT task.status
        OR task_index.board_id IS NOT task.board_id OR task_index.due_at IS NOT task.due_at""",
    "an index row without its task": "SELECT task_id FROM task_index WHERE task_id NOT IN (SELECT id FROM task)",
    "a tag of a task that is not indexed": """
        SELECT task.id, value FROM task, json_each(task.tags)
        EXCEPT SELECT task_id, tag FROM task_tag""",
    "an indexed tag that the task has not": """
        SELECT task_id, tag FROM task_tag
        EXCEPT SELECT task.id, value FROM task, json_each(task.tags)""",
    "a count of a tag": """
        SELECT tag, sum(active), sum(archived) FROM task_tag_part GROUP BY owner, tag
        EXCEPT SELECT tag, sum(NOT archived), sum(archived) FROM task_tag GROUP BY owner, tag""",
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
            iif(blob_key IS NOT NULL OR (incoming IS NULL AND status <> 'failed'), size, 0)
            + coalesce(incoming ->> 'size', 0)
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
    "a foreign key": "SELECT * FROM pragma_foreign_key_check",
    "a damaged page": "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
}


def find_differences(server: Server) -> dict[str, list[tuple[Any, ...]]]:
    """By what is wrong, the first rows that show it. The server is not running."""
    connection = apsw.Connection(str(server.data_dir / "stowboard.db"))
    try:
        found = {what: connection.execute(f"{sql} LIMIT 3").fetchall() for what, sql in SCANS.items()}
    finally:
        connection.close()
    return {what: rows for what, rows in found.items() if rows}
