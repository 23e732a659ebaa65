package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Options are the values of the flags.
type options struct {
	routers  string
	suites   string
	run      *regexp.Regexp
	routes   string
	openapi  string
	seed     uint64
	rounds   int
	slice    time.Duration
	cpus     []int
	baseline string
	quick    bool
	tables   bool
	list     bool
	from     string
	outputs  outputs
}

const usageHead = `Usage: routebench [FLAGS]

Compares HTTP routers for Go: the classic benchmark, or your own routes.

  routebench                                 the usual suites, well-known routers, in three minutes
  routebench -quick                          the same, less precise, in half a minute
  routebench -routes FILE -html report.html  your own routes, METHOD PATTERN lines
  routebench -openapi FILE                   the operations of your OpenAPI description
  routebench -suite all -routers all         everything, in half an hour or more

Flags:
`

// Settings of -quick, unless flags override them. The median of six samples or more has
// a 95 % confidence interval.
const (
	quickRounds = 6
	quickSlice  = 5 * time.Millisecond
)

// parse parses the arguments. It prints help to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{cpus: defaultCPUs()}
	fs := flag.NewFlagSet("routebench", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.routers, "routers", "known", "the `routers`: comma-separated names, or known, net/http, all; -list shows them")
	fs.StringVar(&o.suites, "suite", "", "comma-separated `suites`, or all (default classic,today,memory,matrix, or matrix with your own routes); -list shows them")
	fs.Func("run", "only the scenarios whose names match this `regexp`", func(s string) (err error) {
		o.run, err = regexp.Compile(s)
		return err
	})
	fs.StringVar(&o.routes, "routes", "", "compare the routes of this `file`, with lines METHOD PATTERN such as GET /users/{id}; - is standard input")
	fs.StringVar(&o.openapi, "openapi", "", "compare the operations of this OpenAPI 3 or Swagger 2.0 `file`, JSON or YAML; - is standard input")
	o.seed, o.rounds, o.slice = 1, 10, 10*time.Millisecond
	fs.Func("seed", "the `seed` of the requests and of the order of turns; the same seed gives the same ones (default 1)", func(s string) (err error) {
		o.seed, err = strconv.ParseUint(s, 10, 64)
		return orHint(err, "must be a whole number, 0 or more")
	})
	fs.Func("rounds", "the `number` of samples for each figure, at least 6 (default 10)", func(s string) (err error) {
		o.rounds, err = strconv.Atoi(s)
		return orHint(err, "must be a whole number")
	})
	fs.Func("slice", "the `duration` of a router's turn (default 10ms)", func(s string) (err error) {
		o.slice, err = time.ParseDuration(s)
		return orHint(err, "must be a number and its unit, such as 10ms")
	})
	fs.Func("cpu", "comma-separated `values` of GOMAXPROCS (default "+joined(o.cpus)+")", func(s string) (err error) {
		o.cpus, err = parseCPUs(s)
		return err
	})
	fs.StringVar(&o.baseline, "baseline", "ServeMux", "the `router` that others are compared with")
	fs.BoolVar(&o.quick, "quick", false, fmt.Sprintf("less precise, in half a minute: -rounds %d -slice %v -cpu %d", quickRounds, quickSlice, slices.Max(o.cpus)))
	fs.BoolVar(&o.tables, "tables", false, "print a table for each scenario, even if there are more than four")
	fs.BoolVar(&o.list, "list", false, "list the routers, suites and scenarios")
	fs.StringVar(&o.from, "from", "", "report the run in this `file`, written by -json, without measuring; - is standard input")
	o.outputs.flags(fs)

	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, usageHead)
			fs.SetOutput(stdout)
			fs.PrintDefaults()
			return nil, err
		}
		return nil, usageError{fmt.Errorf("%w; -help shows all flags", err)}
	}
	if fs.NArg() > 0 {
		return nil, usageError{fmt.Errorf("unexpected argument %q; name files with -routes or -openapi", fs.Arg(0))}
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	o.beQuick(given)
	if err := o.check(given); err != nil {
		return nil, usageError{err}
	}
	return o, nil
}

// beQuick sets the options of -quick that no flag sets.
func (o *options) beQuick(given map[string]bool) {
	if !o.quick {
		return
	}
	if !given["rounds"] {
		o.rounds = quickRounds
	}
	if !given["slice"] {
		o.slice = quickSlice
	}
	if !given["cpu"] {
		o.cpus = []int{slices.Max(o.cpus)}
	}
}

// check returns an error if the flags are invalid together.
func (o *options) check(given map[string]bool) error {
	switch {
	case o.rounds < quickRounds || o.rounds > 1000:
		return fmt.Errorf("-rounds %d: must be from %d, for a 95 %% confidence interval, to 1000", o.rounds, quickRounds)
	case o.slice < time.Millisecond || o.slice > 10*time.Second:
		return fmt.Errorf("-slice %v: must be from 1ms to 10s", o.slice)
	case o.routes != "" && o.openapi != "":
		return errors.New("-routes and -openapi exclude each other; compare one, then the other")
	case o.from != "":
		for name := range given {
			if name != "from" && name != "tables" && !o.outputs.has(name) {
				return fmt.Errorf("-from reports a run as it was measured, so -%s has no effect; use only -tables, -html, -markdown, -csv, -bench and -json with it", name)
			}
		}
	}
	return nil
}

// orHint returns an error with the hint if err is not nil.
func orHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return errors.New(hint)
}

// defaultCPUs returns 1, and 2 if the machine has two CPUs.
func defaultCPUs() []int {
	if runtime.NumCPU() < 2 {
		return []int{1}
	}
	return []int{1, 2}
}

// parseCPUs parses -cpu and returns the numbers sorted, without duplicates.
func parseCPUs(s string) ([]int, error) {
	var cpus []int
	for field := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 1 || n > 1024 {
			return nil, fmt.Errorf("%q is not a number of CPUs; write comma-separated numbers, such as 1,2", field)
		}
		if n > runtime.NumCPU() {
			return nil, fmt.Errorf("this machine has %d CPUs; figures for %d would be meaningless", runtime.NumCPU(), n)
		}
		cpus = append(cpus, n)
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// joined formats numbers as -cpu does.
func joined(cpus []int) string {
	var b strings.Builder
	for i, n := range cpus {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
