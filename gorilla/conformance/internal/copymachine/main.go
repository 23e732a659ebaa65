// Command copymachine generates packages subject and v181 from package oracle. Run it with
// "go generate ./internal/oracle".
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/copied"
)

func main() {
	for _, c := range copied.Copies {
		files, err := c.Files(".")
		if err != nil {
			log.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join("..", c.Name, name), text, 0o644); err != nil {
				log.Fatal(err)
			}
		}
	}
}
