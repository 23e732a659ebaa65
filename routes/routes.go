// Package routes holds the lists of routes that routers are compared with, in the format of
// cmd/muxwell. The files static.txt, github.txt, gplus.txt and parse.txt are from the
// classic Go router benchmark. The file github-rest.txt has the whole REST API of GitHub.
package routes

import "embed"

// FS holds the lists.
//
//go:embed *.txt
var FS embed.FS
