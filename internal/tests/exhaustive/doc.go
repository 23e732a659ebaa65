// Package exhaustive compares the router with http.ServeMux and the naive matcher on
// all patterns and paths over a small alphabet. It tries each pair of patterns of up to
// three segments with each path of up to four, and each set of three patterns of up to
// two segments with each path of up to three. It uses the public API of package
// muxwell only. A sample runs in go test, all of it with
//
//	go test ./internal/tests/exhaustive -run TestExhaustive -all -timeout 0 -v
//
// which shows its progress on standard error. With -shard 0/4 it is the first of
// four parts.
//
// Not everything is sent. What is alike by a renaming is sent once: sets of patterns
// with the literals exchanged, in another order of registration, methods that no
// pattern names, and texts that the same segments match. TestSymmetries sends a
// sample of what is left out.
package exhaustive
