-- The index of search. Texts are words that are folded already, with a space on either side of each.
-- On SQLite `number` is made of the id, and FTS5 has it with a minus: the newest first is the way that it reads best.
--sqlite CREATE TABLE search_document (
--sqlite     number INTEGER PRIMARY KEY,
--sqlite     id     TEXT NOT NULL UNIQUE,
--sqlite     title  TEXT NOT NULL,
--sqlite     rest   TEXT NOT NULL
--sqlite );
--sqlite CREATE VIRTUAL TABLE search_index USING fts5 (
--sqlite     title, rest, content = '', tokenize = "ascii tokenchars '_'",
--sqlite     prefix = '3 5', detail = none, columnsize = 0
--sqlite );
--sqlite INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
--sqlite INSERT INTO search_index (search_index, rank) VALUES ('automerge', 8);
-- The number up to which FTS5 has the documents. Later ones wait, to be put in many at a time, and are read as they
-- are.
--sqlite CREATE TABLE search_merged (
--sqlite     number INTEGER NOT NULL
--sqlite );
--sqlite INSERT INTO search_merged (number) VALUES (0);
--sqlite CREATE TRIGGER search_document_added AFTER INSERT ON search_document
--sqlite WHEN new.number <= (SELECT number FROM search_merged) BEGIN
--sqlite     INSERT INTO search_index (rowid, title, rest) VALUES (-new.number, new.title, new.rest);
--sqlite END;
--sqlite CREATE TRIGGER search_document_removed AFTER DELETE ON search_document
--sqlite WHEN old.number <= (SELECT number FROM search_merged) BEGIN
--sqlite     INSERT INTO search_index (search_index, rowid, title, rest)
--sqlite     VALUES ('delete', -old.number, old.title, old.rest);
--sqlite END;

-- On PostgreSQL `place` is the id without the name of its kind, and `terms` has all that is looked for.
-- Each search looks at all terms that are not in their places yet, so few may wait.
--postgres CREATE TABLE search_document (
--postgres     id    TEXT COLLATE "C" PRIMARY KEY,
--postgres     place TEXT COLLATE "C" NOT NULL,
--postgres     scope TEXT NOT NULL,
--postgres     title TEXT NOT NULL,
--postgres     rest  TEXT NOT NULL,
--postgres     terms TSVECTOR NOT NULL
--postgres );
--postgres CREATE INDEX search_document_by_place ON search_document (scope, place);
--postgres CREATE INDEX search_document_terms ON search_document USING gin (terms) WITH (gin_pending_list_limit = 128);

-- Types of documents that are still filled in after an import, each with the last id that is in.
CREATE TABLE search_filling (
    type     TEXT PRIMARY KEY,
    position TEXT NOT NULL
) WITHOUT ROWID;
