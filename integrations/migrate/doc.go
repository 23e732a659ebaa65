// Package migrate verifies docs/migrate.md and docs/migrate-from-gorilla.md. Its tests
// run the code of both sides of each row of their tables, send both the same requests,
// and compare the answers. They also compare the tables with the code that was run, so
// that neither changes without the other.
package migrate
