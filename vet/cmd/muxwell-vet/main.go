// Command muxwell-vet rewrites programs for muxwell.
package main

import (
	"fmt"
	"os"

	"github.com/muxwell/muxwell/vet/internal/migrate"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != "migrate" {
		fmt.Fprintln(os.Stderr, "usage: muxwell-vet migrate [flags] [packages]")
		os.Exit(2)
	}
	os.Exit(migrate.Run(os.Args[2:], os.Stdout, os.Stderr))
}
