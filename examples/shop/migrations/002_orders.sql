-- A customer is the random ID that a session has.
CREATE TABLE cart_lines (
	customer   TEXT NOT NULL,
	product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
	count      INTEGER NOT NULL CHECK (count > 0),
	changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
	PRIMARY KEY (customer, product_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX cart_lines_changed_at ON cart_lines (changed_at);

-- This removes the carts of expired sessions; see newSessions.
CREATE TRIGGER cart_lines_expire AFTER INSERT ON cart_lines BEGIN
	DELETE FROM cart_lines WHERE changed_at < unixepoch('now', '-30 days');
END;

CREATE TABLE orders (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	customer   TEXT NOT NULL,
	name       TEXT NOT NULL,
	email      TEXT NOT NULL,
	created_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;
CREATE INDEX orders_customer ON orders (customer);

-- Names and prices are those at the time of the order.
CREATE TABLE order_lines (
	order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
	name     TEXT NOT NULL,
	price    INTEGER NOT NULL,
	count    INTEGER NOT NULL
) STRICT;
CREATE INDEX order_lines_order_id ON order_lines (order_id);
