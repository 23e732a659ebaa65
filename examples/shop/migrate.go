package main

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

// The migrations run in the order of their names, 001_products.sql first. Never edit one
// that was released: add the next one.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

//go:embed seed.sql
var seed string

// migrate runs the migrations that the database does not have yet, all of them or none.
// The database's user_version is their number. A new database gets the
// example data as well.
func migrate(ctx context.Context, db *sql.DB) error {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted
	if err != nil {
		return err
	}
	return inTx(ctx, db, func(tx *sql.Tx) error { // which also keeps other processes out
		var version int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		if version > len(names) {
			return fmt.Errorf("the database has version %d, and this program knows versions up to %d; start a newer program", version, len(names))
		}
		for _, name := range names[version:] {
			migration, err := migrationFiles.ReadFile(name)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, string(migration)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if version == 0 {
			if _, err := tx.ExecContext(ctx, seed); err != nil {
				return fmt.Errorf("seed.sql: %w", err)
			}
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(names)))
		return err
	})
}
