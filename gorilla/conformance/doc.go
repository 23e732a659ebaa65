// Package conformance has only tests. They compare gorilla/mux of this repository with
// the main branch of the original, which is published as github.com/minio/mux. The
// README says what is compared and lists the intended differences.
package conformance
