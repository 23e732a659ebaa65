// Package tools is empty. Its module pins the development tools, which run
// from anywhere in the repository:
//
//	go tool staticcheck ./...
//	go tool gofumpt -l .
//	go tool benchstat -col /mux new.txt
//
// The package exists because "go vet ./..." and "go test ./..." fail in a module without
// packages.
package tools
