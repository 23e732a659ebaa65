// Package routes holds lists of routes that routers are compared with. They are in the
// form that cmd/muxwell reads: those of the classic Go router benchmark (static.txt,
// github.txt, gplus.txt, parse.txt), and the whole REST API of GitHub
// (github-rest.txt).
package routes

import "embed"

// FS holds the lists.
//
//go:embed *.txt
var FS embed.FS
