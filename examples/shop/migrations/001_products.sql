CREATE TABLE products (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	name        TEXT NOT NULL UNIQUE,
	description TEXT NOT NULL,
	price       INTEGER NOT NULL CHECK (price > 0), -- in cents
	stock       INTEGER NOT NULL CHECK (stock >= 0)
) STRICT;
