// Package migrate tests docs/migrate.md and docs/migrate-from-gorilla.md. For
// each row of their tables, the tests run the code for both routers, send both the same
// requests, and compare the answers. They also compare the tables with that code, so that
// neither can change without the other.
package migrate
