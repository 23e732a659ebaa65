-- This is the table of github.com/alexedwards/scs/sqlite3store.
CREATE TABLE sessions (
	token  TEXT PRIMARY KEY,
	data   BLOB NOT NULL,
	expiry REAL NOT NULL
) STRICT;
CREATE INDEX sessions_expiry ON sessions (expiry);
