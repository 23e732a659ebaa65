// Command muxwell-vet finds mistakes in the routes of a program when it is compiled. It runs by
// itself and under go vet:
//
//	muxwell-vet [-fix | -diff | -json] [-CHECK] [-CHECK.FLAG] [-tags TAGS] [PACKAGES]
//	go vet -vettool=$(which muxwell-vet) [-CHECK] [PACKAGES]
//	muxwell-vet routes [-format list|json|openapi] [PACKAGES]
//	muxwell-vet migrate [flags] [PACKAGES]
//	muxwell-vet help
//
// It exits with 0 if it found nothing, with 1 if it found something or failed, and with 2 if the
// arguments are invalid.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/muxwell/muxwell/vet"
	"github.com/muxwell/muxwell/vet/internal/list"
	"github.com/muxwell/muxwell/vet/internal/migrate"
)

func main() {
	if calledByGo(os.Args[1:]) {
		unitchecker.Main(append(vet.Analyzers(), list.Analyzer)...)
	}
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// calledByGo reports whether the arguments are those of the go command for a vet tool.
func calledByGo(args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(a, "-V") || a == "-flags" || strings.HasSuffix(a, ".cfg") {
			return true
		}
	}
	return false
}

// A subcommand runs with the arguments that follow its name, and returns the exit status.
type subcommand func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// subcommands are the commands other than the checks.
var subcommands = map[string]subcommand{
	"routes": routes,
	"migrate": func(_ context.Context, args []string, stdout, stderr io.Writer) int {
		return migrate.Run(args, stdout, stderr)
	},
}

// run runs the command and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if c := subcommands[args[0]]; c != nil {
			return c(ctx, args[1:], stdout, stderr)
		}
		if args[0] == "help" {
			args = append([]string{"-h"}, args[1:]...)
		}
	}
	flags := flag.NewFlagSet("muxwell-vet", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Bool("fix", false, "apply the fixes instead of printing the problems that have one")
	flags.Bool("diff", false, "print the fixes as a diff instead of applying them")
	flags.Bool("json", false, "print the problems as JSON")
	flags.Int("c", -1, "print `N` lines around each problem")
	flags.String("tags", "", "build `TAGS`, separated by commas")
	for _, a := range vet.Analyzers() {
		flags.Bool(a.Name, false, "run this check; with =false, all but this one")
		a.Flags.VisitAll(func(f *flag.Flag) { flags.Var(f.Value, a.Name+"."+f.Name, f.Usage) })
	}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		help(stdout, flags)
		return 0
	case err != nil:
		return usage(stderr, err)
	}
	vetArgs := []string{}
	flags.Visit(func(f *flag.Flag) { vetArgs = append(vetArgs, "-"+f.Name+"="+f.Value.String()) })
	return goVet(ctx, append(vetArgs, packages(flags.Args())...), stdout, stderr)
}

// usage reports invalid arguments.
func usage(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "muxwell-vet: %v\nRun 'muxwell-vet -h' for usage.\n", err)
	return 2
}

// packages returns the packages of the command line, by default those below the directory.
func packages(args []string) []string {
	if len(args) == 0 {
		return []string{"./..."}
	}
	return args
}

// goVet runs go vet with this program as its tool. So packages are loaded, run in parallel and
// cached by the go command.
func goVet(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(stderr, "muxwell-vet:", err)
		return 1
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"vet", "-vettool=" + self}, args...)...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Run(); err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			fmt.Fprintln(stderr, "muxwell-vet:", err)
		}
		return 1
	}
	return 0
}

func help(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprint(w, `Muxwell-vet finds mistakes in the routes of http.ServeMux and muxwell.

Usage:

	muxwell-vet [flags] [packages]         check packages, by default ./...
	muxwell-vet routes [flags] [packages]  print the routes of a program
	muxwell-vet migrate [flags] [packages] rewrite a program from ServeMux, chi or gorilla/mux
	go vet -vettool=$(which muxwell-vet) [flags] [packages]

Checks:

`)
	for _, a := range vet.Analyzers() {
		fmt.Fprintf(w, "	%-11s %s\n", a.Name, title(a))
	}
	fmt.Fprintf(w, "\nFlags:\n\n")
	flags.SetOutput(w)
	flags.PrintDefaults()
}

// title returns the first line of an analyzer's documentation.
func title(a *analysis.Analyzer) string {
	first, _, _ := strings.Cut(a.Doc, "\n")
	return first
}
