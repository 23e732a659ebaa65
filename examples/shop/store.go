package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/muxwell/muxwell"
)

// A store has all queries. Its methods return a *muxwell.HTTPError for mistakes of the
// client. All other errors are those of the database.
type store struct{ db *sql.DB }

// openStore opens the database in a file, which it creates if there is none, and migrates
// it.
func openStore(ctx context.Context, file string) (*store, error) {
	dsn := "file:" + url.PathEscape(file) + "?" + url.Values{
		"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(ON)"},
		"_txlock": {"immediate"}, // a transaction that reads before it writes would otherwise fail if another one writes
	}.Encode()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(10) // readers; SQLite has one writer at a time
	db.SetMaxIdleConns(10)
	if err := migrate(ctx, db); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &store{db}, nil
}

func (s *store) products(ctx context.Context, search string, p Page) (List[Product], error) {
	var l List[Product]
	const where = " FROM products WHERE instr(lower(name || ' ' || description), lower(?)) > 0"
	if err := s.db.QueryRowContext(ctx, "SELECT count(*)"+where, search).Scan(&l.Total); err != nil {
		return l, err
	}
	var err error
	l.Items, err = query(ctx, s.db, scanProduct, "SELECT id, name, description, price, stock"+where+" ORDER BY name LIMIT ? OFFSET ?", search, p.Limit, p.offset())
	return l, err
}

func (s *store) product(ctx context.Context, id int64) (Product, error) {
	var p Product
	err := scanProduct(s.db.QueryRowContext(ctx, "SELECT id, name, description, price, stock FROM products WHERE id = ?", id), &p)
	if errors.Is(err, sql.ErrNoRows) {
		return p, noProduct(id)
	}
	return p, err
}

func (s *store) createProduct(ctx context.Context, d ProductData) (Product, error) {
	p := Product{ProductData: d}
	err := s.db.QueryRowContext(ctx, "INSERT INTO products (name, description, price, stock) VALUES (?, ?, ?, ?) RETURNING id",
		d.Name, d.Description, d.Price, d.Stock).Scan(&p.ID)
	return p, nameTaken(err, d.Name)
}

func (s *store) updateProduct(ctx context.Context, id int64, d ProductData) (Product, error) {
	res, err := s.db.ExecContext(ctx, "UPDATE products SET name = ?, description = ?, price = ?, stock = ? WHERE id = ?",
		d.Name, d.Description, d.Price, d.Stock, id)
	return Product{ID: id, ProductData: d}, wantRow(res, nameTaken(err, d.Name), id)
}

func (s *store) deleteProduct(ctx context.Context, id int64) error {
	res, err := s.db.ExecContext(ctx, "DELETE FROM products WHERE id = ?", id)
	return wantRow(res, err, id)
}

func (s *store) cart(ctx context.Context, customer string) (Cart, error) {
	return cartIn(ctx, s.db, customer)
}

func cartIn(ctx context.Context, db queryer, customer string) (Cart, error) {
	lines, err := query(ctx, db, func(row scanner, l *CartLine) error {
		return row.Scan(&l.ProductID, &l.Name, &l.Price, &l.Count, &l.Stock)
	}, `SELECT p.id, p.name, p.price, c.count, p.stock FROM cart_lines c JOIN products p ON p.id = c.product_id WHERE c.customer = ? ORDER BY p.name`, customer)
	c := Cart{Lines: lines}
	for _, l := range lines {
		c.Count += l.Count
		c.Total += l.Sum()
	}
	return c, err
}

// setCart sets how many of a product are in a cart; 0 removes it.
func (s *store) setCart(ctx context.Context, customer string, productID int64, count int) error {
	if count == 0 {
		_, err := s.db.ExecContext(ctx, "DELETE FROM cart_lines WHERE customer = ? AND product_id = ?", customer, productID)
		return err
	}
	res, err := s.db.ExecContext(ctx, `INSERT INTO cart_lines (customer, product_id, count) SELECT ?, id, ? FROM products WHERE id = ?
		ON CONFLICT DO UPDATE SET count = excluded.count, changed_at = unixepoch()`, customer, count, productID)
	return wantRow(res, err, productID)
}

// addToCart adds one of a product to a cart.
func (s *store) addToCart(ctx context.Context, customer string, productID int64) error {
	res, err := s.db.ExecContext(ctx, `INSERT INTO cart_lines (customer, product_id, count) SELECT ?, id, 1 FROM products WHERE id = ?
		ON CONFLICT DO UPDATE SET count = min(count + 1, 99), changed_at = unixepoch()`, customer, productID)
	return wantRow(res, err, productID)
}

// checkout makes an order of a cart, which is empty afterwards. Of several calls at once
// for one cart, one makes an order. The stock never becomes negative.
func (s *store) checkout(ctx context.Context, customer string, to Recipient) (Order, error) {
	o := Order{Recipient: to}
	err := inTx(ctx, s.db, func(tx *sql.Tx) error {
		c, err := cartIn(ctx, tx, customer)
		if err != nil {
			return err
		}
		if len(c.Lines) == 0 {
			return &muxwell.HTTPError{Status: http.StatusConflict, Reason: "empty_cart", Detail: "the cart is empty"}
		}
		o.Total, o.CreatedAt = c.Total, time.Now().UTC().Truncate(time.Second)
		if err := tx.QueryRowContext(ctx, "INSERT INTO orders (customer, name, email, created_at) VALUES (?, ?, ?, ?) RETURNING id",
			customer, to.Name, to.Email, o.CreatedAt.Unix()).Scan(&o.ID); err != nil {
			return err
		}
		for _, l := range c.Lines {
			if l.Count > l.Stock {
				return &muxwell.HTTPError{Status: http.StatusConflict, Reason: "out_of_stock", Detail: fmt.Sprintf("%s: only %d left", l.Name, l.Stock)}
			}
			if _, err := tx.ExecContext(ctx, "UPDATE products SET stock = stock - ? WHERE id = ?", l.Count, l.ProductID); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT INTO order_lines (order_id, name, price, count) VALUES (?, ?, ?, ?)", o.ID, l.Name, l.Price, l.Count); err != nil {
				return err
			}
			o.Lines = append(o.Lines, OrderLine{l.Name, l.Price, l.Count})
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM cart_lines WHERE customer = ?", customer)
		return err
	})
	return o, err
}

// orders returns the orders of a customer, or of all customers, the newest first.
func (s *store) orders(ctx context.Context, customer string, all bool, p Page) (List[Order], error) {
	var l List[Order]
	const where = " FROM orders WHERE (customer = ? OR ?)"
	if err := s.db.QueryRowContext(ctx, "SELECT count(*)"+where, customer, all).Scan(&l.Total); err != nil {
		return l, err
	}
	var err error
	l.Items, err = query(ctx, s.db, func(row scanner, o *Order) error {
		var createdAt int64
		err := row.Scan(&o.ID, &o.Name, &o.Email, &createdAt)
		o.CreatedAt = time.Unix(createdAt, 0).UTC()
		return err
	}, "SELECT id, name, email, created_at"+where+" ORDER BY id DESC LIMIT ? OFFSET ?", customer, all, p.Limit, p.offset())
	if err != nil {
		return l, err
	}
	for i := range l.Items {
		o := &l.Items[i]
		o.Lines, err = query(ctx, s.db, func(row scanner, l *OrderLine) error {
			return row.Scan(&l.Name, &l.Price, &l.Count)
		}, "SELECT name, price, count FROM order_lines WHERE order_id = ? ORDER BY rowid", o.ID)
		if err != nil {
			return l, err
		}
		for _, line := range o.Lines {
			o.Total += line.Sum()
		}
	}
	return l, nil
}

// A queryer is a database or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// A scanner is a row of a result.
type scanner interface{ Scan(dest ...any) error }

func scanProduct(row scanner, p *Product) error {
	return row.Scan(&p.ID, &p.Name, &p.Description, &p.Price, &p.Stock)
}

// query returns the rows of a result. Without rows the slice is empty and not nil, which is
// [] in JSON.
func query[T any](ctx context.Context, db queryer, scan func(scanner, *T) error, text string, args ...any) ([]T, error) {
	all := []T{}
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return all, err
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := scan(rows, &v); err != nil {
			return all, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// inTx calls f with a transaction, which is rolled back if f returns an error.
func inTx(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// wantRow returns an error if a statement has failed, or has changed no product.
func wantRow(res sql.Result, err error, productID int64) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); n > 0 || err != nil {
		return err
	}
	return noProduct(productID)
}

func noProduct(id int64) error {
	return &muxwell.HTTPError{Status: http.StatusNotFound, Reason: "no_product", Detail: fmt.Sprintf("there is no product %d", id)}
}

// nameTaken returns the error of a statement, which says so if another product has the name.
func nameTaken(err error, name string) error {
	if e, ok := errors.AsType[*sqlite.Error](err); !ok || e.Code() != sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		return err
	}
	return &muxwell.HTTPError{Status: http.StatusConflict, Reason: "name_taken", Detail: fmt.Sprintf("there is another product called %q", name)}
}
