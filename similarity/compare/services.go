package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A service is a service to compare. Its program prints the URL that it listens on.
type service struct {
	name  string
	about string
	build program
	args  []string // to listen at a free port of loopback, and to do no more than needed
}

// A program describes how to build a service.
type program struct {
	folder  string // in the folder of module similarity
	pkg     string
	profile string   // of cargo; "" for a program in Go
	env     []string // that the build has besides
}

const anyPort = "127.0.0.1:0"

var quiet = []string{"-addr", anyPort, "-admin", "", "-log-level", "warn"}

var allServices = []service{
	{"muxwell", "the service of this repository", program{folder: ".", pkg: "."}, quiet},
	{"muxwell-purego", "the same without assembly, built with the tag purego", program{folder: ".", pkg: ".", env: []string{"GOFLAGS=-tags=purego"}}, quiet},
	twin("regexp", "a first version in Go: two regular expressions, maps, encoding/json, net/http"),
	twin("replacer", "the same with a strings.Replacer instead of the regular expressions"),
	twin("bytereplace", "the same with package bytereplace instead of the regular expressions"),
	{"go-fiber", "the first version with fiber instead of net/http", twinProgram, []string{"-addr", anyPort, "-server", "fiber"}},
	{"go-fiber-bytereplace", "the same with package bytereplace, and jsonparser instead of encoding/json", twinProgram, []string{"-addr", anyPort, "-server", "fiber-jsonparser", "-pipeline", "bytereplace"}},
	{floor, "a handler of net/http that only reads the body; its answers are not checked", twinProgram, []string{"-addr", anyPort, "-server", "floor"}},
	rust("plain", "release", "a first version in Rust: axum, two regular expressions, HashMap, serde_json"),
	rust("tuned", "tuned", "a hand-tuned version in Rust: hyper, a byte table, a custom hash table, sonic-rs, mimalloc"),
}

// floor is the service whose time the others of net/http include.
const floor = "floor"

var twinProgram = program{folder: "compare", pkg: "./twin"}

func twin(pipeline, about string) service {
	return service{"go-" + pipeline, about, twinProgram, []string{"-addr", anyPort, "-pipeline", pipeline}}
}

func rust(crate, profile, about string) service {
	return service{"rust-" + crate, about, program{folder: "rust", pkg: crate, profile: profile}, []string{anyPort}}
}

func names(services []service) []string {
	var all []string
	for _, s := range services {
		all = append(all, s.name)
	}
	return all
}

// list lists the services.
func list(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range allServices {
		fmt.Fprintf(tw, "%s\t%s\n", s.name, s.about)
	}
	return tw.Flush()
}
