// Package tools is empty. Its module pins the tools of development, which run
// from anywhere in the repository:
//
//	go tool staticcheck ./...
//	go tool gofumpt -l .
//	go tool benchstat -col /mux new.txt
//
// The package is there so that "go vet ./..." and "go test ./..." have something
// to match in this module as in every other; they fail where nothing does.
package tools
