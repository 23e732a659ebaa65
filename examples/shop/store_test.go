package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/muxwell/muxwell"
)

func schema(t *testing.T, db *sql.DB) string {
	t.Helper()
	tables, err := query(t.Context(), db, func(row scanner, s *string) error { return row.Scan(s) }, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(tables, "\n")
}

func mustExec(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// oldDatabase returns a file with a database of an older version, which has one product.
func oldDatabase(t *testing.T, version int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "old.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, name := range []string{"001_products", "002_orders", "003_sessions"}[:version] {
		b, err := migrationFiles.ReadFile("migrations/" + name + ".sql")
		if err != nil {
			t.Fatal(err)
		}
		mustExec(t, db, string(b))
	}
	mustExec(t, db, "INSERT INTO products (name, description, price, stock) VALUES ('Old', '', 1, 1)",
		fmt.Sprintf("PRAGMA user_version = %d", version), "PRAGMA journal_mode = WAL")
	return file
}

// TestMigrate: a database of every older version gets the schema of a new one and keeps its
// data; one of a newer version, or with a migration that fails, is left as it is.
func TestMigrate(t *testing.T) {
	want := schema(t, newTestShop(t).store.db)
	const versions = 3
	for version := 1; version <= versions; version++ {
		file := oldDatabase(t, version)
		for range 2 { // nothing happens the second time
			s, err := openStore(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			if got := schema(t, s.db); got != want {
				t.Errorf("version %d has become\n%s, want\n%s", version, got, want)
			}
			if l, err := s.products(t.Context(), "", Page{1, 10}); err != nil || l.Total != 1 || l.Items[0].Name != "Old" {
				t.Errorf("version %d: the products are %v, %v", version, l, err)
			}
			s.db.Close()
		}
	}

	file := filepath.Join(t.TempDir(), "new.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	mustExec(t, db, "PRAGMA user_version = 99")
	if _, err := openStore(t.Context(), file); err == nil || !strings.Contains(err.Error(), "start a newer program") {
		t.Errorf("a newer version: got %v", err)
	}
	mustExec(t, db, "PRAGMA user_version = 0", "CREATE TABLE sessions (x)")
	if _, err := openStore(t.Context(), file); err == nil || !strings.Contains(err.Error(), "003_sessions.sql") {
		t.Errorf("a table that is there already: got %v", err)
	}
	if got := schema(t, db); got != "CREATE TABLE sessions (x)" {
		t.Errorf("a failed migration has left\n%s", got)
	}
}

// TestOpenAtOnce: of several programs that start with an old database, one migrates it.
func TestOpenAtOnce(t *testing.T) {
	file := oldDatabase(t, 1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := openStore(t.Context(), file)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.db.Close()
			if c, err := s.cart(t.Context(), ""); err != nil || c.Count != 0 {
				t.Errorf("the cart is %v, %v", c, err)
			}
		})
	}
	wg.Wait()
}

// TestCheckoutAtOnce: customers who order at the same time get what is there and no more,
// and a cart that is ordered twice at the same time is one order.
func TestCheckoutAtOnce(t *testing.T) {
	s := newTestShop(t)
	const gyokuro, stock, customers = 6, 3, 20
	var sold, out, empty atomic.Int64
	var wg sync.WaitGroup
	for range customers {
		c := newClient(s)
		c.want(t, 200, "", fmt.Sprintf("PUT /api/cart/%d", gyokuro), `{"count":1}`)
		for range 2 {
			twin := &client{s, c.cookies}
			wg.Go(func() {
				w := twin.send("POST /api/orders", `{"name":"Ada","email":"ada@example.com"}`)
				switch {
				case w.Code == 201:
					sold.Add(1)
				case strings.Contains(w.Body.String(), "Gyokuro: only 0 left"):
					out.Add(1)
				case strings.Contains(w.Body.String(), "the cart is empty"):
					empty.Add(1)
				default:
					t.Errorf("got %d %s", w.Code, w.Body)
				}
			})
		}
	}
	wg.Wait()
	if sold.Load() != stock || empty.Load() != stock || out.Load() != 2*(customers-stock) {
		t.Errorf("%d orders, %d without stock, %d of an empty cart; want %d, %d, %d", sold.Load(), out.Load(), empty.Load(), stock, 2*(customers-stock), stock)
	}
	p, err := s.store.product(t.Context(), gyokuro)
	if err != nil || p.Stock != 0 {
		t.Errorf("%d are left, %v", p.Stock, err)
	}
	l, err := s.store.orders(t.Context(), "", true, Page{1, 100})
	if err != nil || l.Total != stock {
		t.Errorf("there are %d orders, %v", l.Total, err)
	}
}

// TestStaleCarts: the carts of customers who do not come back are removed.
func TestStaleCarts(t *testing.T) {
	s := newTestShop(t).store
	if err := s.setCart(t.Context(), "old", 1, 1); err != nil {
		t.Fatal(err)
	}
	mustExec(t, s.db, fmt.Sprintf("UPDATE cart_lines SET changed_at = changed_at - %d", 30*24*60*60+1))
	if err := s.setCart(t.Context(), "new", 1, 1); err != nil {
		t.Fatal(err)
	}
	for customer, want := range map[string]int{"old": 0, "new": 1} {
		if c, err := s.cart(t.Context(), customer); err != nil || c.Count != want {
			t.Errorf("the cart of %s has %d, %v; want %d", customer, c.Count, err, want)
		}
	}
}

// TestConstraints: the database itself refuses what would be wrong.
func TestConstraints(t *testing.T) {
	s := newTestShop(t).store
	for _, statement := range []string{
		"UPDATE products SET stock = -1",
		"UPDATE products SET price = 0",
		"UPDATE products SET name = 'Assam'",
		"INSERT INTO cart_lines (customer, product_id, count) VALUES ('c', 99, 1)",
		"INSERT INTO order_lines VALUES (99, '', 1, 1)",
	} {
		if _, err := s.db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("%s: got no error", statement)
		}
	}
	if err := s.deleteProduct(t.Context(), 99); muxwell.AsHTTPError(err).Status != 404 {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.checkout(ctx, "", Recipient{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a canceled context: got %v", err)
	}
}
