// Package conformance holds no code, only tests: they compare the drop-in
// package, gorilla/mux of this repository, with the main branch of gorilla/mux,
// which is published as github.com/minio/mux. The README says what is compared
// and lists the differences that are meant.
package conformance
