//go:build unix

// Command survey runs the checks on a large program for survey.sh. It loads the packages of the
// working directory and their dependencies from source, so that nothing is compiled, and prints
//
//	packages with-dependencies routes known pattern conflict params unread middleware cpu-seconds MiB
//
// on one line. The known routes have a constant pattern. Findings are written to standard error,
// as "CHECK FILE:LINE:COLUMN: MESSAGE". Packages that do not compile are left out.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/muxwell/muxwell/vet"
	"github.com/muxwell/muxwell/vet/internal/list"
)

func main() {
	log.SetFlags(0)
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: survey PACKAGE...\n\nRuns all checks on packages. It prints a line of numbers, and what the checks find on standard error.")
	}
	flag.Parse()
	debug.SetGCPercent(50)
	for _, a := range vet.Analyzers() {
		if a.Name == "params" {
			check(a.Flags.Set("unread", "true"))
		}
	}
	check(list.Analyzer.Flags.Set("json", "true"))
	initial, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule}, flag.Args()...)
	check(err)
	initial = slices.DeleteFunc(initial, func(p *packages.Package) bool { return p.IllTyped || len(p.Errors) > 0 })
	if len(initial) == 0 {
		log.Fatal("no package could be loaded")
	}
	all := 0
	packages.Visit(initial, nil, func(*packages.Package) { all++ })
	graph, err := checker.Analyze(append(vet.Analyzers(), list.Analyzer), initial, nil)
	check(err)

	counts := make(map[string]int)
	known := 0
	var lines []string
	seen := make(map[string]bool)
	for _, act := range graph.Roots {
		if act.Err != nil {
			log.Print(act.Analyzer.Name, " ", act.Package.PkgPath, ": ", act.Err)
		}
		for _, d := range act.Diagnostics {
			name := act.Analyzer.Name
			at := act.Package.Fset.Position(d.Pos).String()
			if name == "routelist" {
				var rt list.Route
				check(json.Unmarshal([]byte(d.Message), &rt))
				at += rt.Pattern + rt.Unknown + rt.RouterAt
			} else if strings.Contains(d.Message, "never reads the parameter") {
				name = "unread"
			}
			if line := fmt.Sprintf("%s %s: %s", name, relative(at), d.Message); !seen[line] {
				seen[line] = true
				counts[name]++
				if name != "routelist" {
					lines = append(lines, line)
				} else if !strings.Contains(d.Message, `"unknown":`) {
					known++
				}
			}
		}
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintln(os.Stderr, line)
	}
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	fmt.Println(len(initial), all, counts["routelist"], known, counts["pattern"], counts["conflict"], counts["params"], counts["unread"],
		counts["middleware"], usage.Utime.Sec+usage.Stime.Sec, usage.Maxrss>>10)
}

// relative returns a position below the working directory without that.
func relative(at string) string {
	wd, err := os.Getwd()
	check(err)
	return strings.TrimPrefix(at, wd+string(filepath.Separator))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
