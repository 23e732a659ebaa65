// Command release prepares a release: it packages the published modules as the Go
// module proxy does, and creates their tags. Run it anywhere in the repository:
//
//	go run ./tools/release                # check that the working tree can be released
//	go run ./tools/release -proxy DIR     # the same, and keep the packages as a module proxy
//	go run ./tools/release -tag v0.1.0    # create the tags of v0.1.0 for the last commit
//
// It works in a clone of the repository. It adds only the tags of -tag to the repository
// itself, and pushes nothing.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// published are the directories of the published modules. A module comes after the modules
// of the repository that it requires. CONTRIBUTING.md lists them.
var published = []string{".", "gorilla/replace", "humamuxwell", "openapi", "routebench", "similarity", "vet"}

const usage = `Usage: go run ./tools/release [-proxy DIR] [-tag] [VERSION]

Packages the published modules of the working tree as VERSION, as the Go module
proxy does. Without VERSION it is a pre-release of the next minor version that is
named after the tree, so that a module cache never has another tree by that version.

`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run runs the command with the arguments.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.Usage = func() {
		fmt.Fprint(out, usage)
		flags.PrintDefaults()
	}
	proxy := flags.String("proxy", "", "write the packages to the folder `DIR`, in the layout of a module proxy")
	tag := flags.Bool("tag", false, "make the tags in this repository; the working tree must be clean")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if flags.NArg() > 1 {
		return fmt.Errorf("there are %d arguments; give a version such as v0.1.0, or nothing", flags.NArg())
	}
	top, err := git(".", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	r := release{top: top, folders: published, version: flags.Arg(0), proxy: *proxy, tag: *tag}
	return r.run(out)
}
