// Command similarityasm writes the assembly of packages for amd64, with AVX2 and with AVX-512.
//
// In similarity/score it has the loops over texts of swar.go, and in similarity/join the
// products of sketches. "go generate" runs it in the folder of the package.
package main

import (
	"flag"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	flag.Parse()
	ConstraintExpr("!purego")
	switch name := flag.Lookup("pkg").Value.String(); name {
	case "score":
		score()
	case "join":
		join()
	default:
		panic("no assembly for package " + name)
	}
	Generate()
}

// define begins a function that keeps no pointer.
func define(name, signature, doc string) {
	TEXT(name, attr.NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc)
}
