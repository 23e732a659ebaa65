// Command copymachine generates package subject from package oracle. Run it with
// "go generate ./internal/oracle".
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/copied"
)

func main() {
	files, err := copied.Files(".")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join("..", "subject", name), text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
