// Package conformance has only tests, which compare package gorilla/mux of this
// repository with the main branch of gorilla/mux. That branch is published as
// github.com/minio/mux. The README describes what is compared.
package conformance
