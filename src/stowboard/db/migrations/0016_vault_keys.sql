-- The keys with which owners seal bodies, each wrapped by a passphrase that the server never sees.
CREATE TABLE vault_key (
    owner      TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    file       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (owner, key_id)
)
--sqlite WITHOUT ROWID
;
