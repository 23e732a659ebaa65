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

// Options are what the flags ask for.
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
  routebench -quick                          the same less exactly, in half a minute
  routebench -routes FILE -html report.html  your own routes, METHOD PATTERN lines
  routebench -openapi FILE                   the operations of your OpenAPI description
  routebench -suite all -routers all         everything, in half an hour or more

Flags:
`

// Settings of -quick, where flags do not say otherwise. Six samples are the fewest
// of which a median has a confidence interval of 95 %.
const (
	quickRounds = 6
	quickSlice  = 5 * time.Millisecond
)

// parse returns what the arguments ask for. Help goes to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{cpus: defaultCPUs()}
	fs := flag.NewFlagSet("routebench", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.routers, "routers", "known", "the `routers`: names with commas between, or known, net/http, all; -list shows them")
	fs.StringVar(&o.suites, "suite", "", "the `suites`, with commas between, or all (default classic,today,memory,matrix, but matrix with routes of your own); -list shows them")
	fs.Func("run", "only the scenarios whose names match this `regexp`", func(s string) (err error) {
		o.run, err = regexp.Compile(s)
		return err
	})
	fs.StringVar(&o.routes, "routes", "", "compare the routes of this `file`, lines METHOD PATTERN as in GET /users/{id}; - is the standard input")
	fs.StringVar(&o.openapi, "openapi", "", "compare the operations of this OpenAPI 3 or Swagger 2.0 `file`, JSON or YAML; - is the standard input")
	o.seed, o.rounds, o.slice = 1, 10, 10*time.Millisecond
	fs.Func("seed", "a `number` that requests and orders are made from; the same makes the same (default 1)", func(s string) (err error) {
		o.seed, err = strconv.ParseUint(s, 10, 64)
		return orHint(err, "write a whole number from 0 on")
	})
	fs.Func("rounds", "the `number` of samples that each figure is the median of, at least 6 (default 10)", func(s string) (err error) {
		o.rounds, err = strconv.Atoi(s)
		return orHint(err, "write a whole number")
	})
	fs.Func("slice", "a `duration`, how long a router's turn lasts (default 10ms)", func(s string) (err error) {
		o.slice, err = time.ParseDuration(s)
		return orHint(err, "write a number and its unit, as in 10ms")
	})
	fs.Func("cpu", "the `values` of GOMAXPROCS, with commas between (default "+joined(o.cpus)+")", func(s string) (err error) {
		o.cpus, err = parseCPUs(s)
		return err
	})
	fs.StringVar(&o.baseline, "baseline", "ServeMux", "the `router` that others are compared with")
	fs.BoolVar(&o.quick, "quick", false, fmt.Sprintf("less exact, in half a minute: -rounds %d -slice %v -cpu %d", quickRounds, quickSlice, slices.Max(o.cpus)))
	fs.BoolVar(&o.tables, "tables", false, "print a table for each scenario, also where there are more than four")
	fs.BoolVar(&o.list, "list", false, "list the routers, suites and scenarios")
	fs.StringVar(&o.from, "from", "", "measure nothing, report the run that -json wrote to this `file`; - is the standard input")
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
		return nil, usageError{fmt.Errorf("there is no operand %q; files are given with -routes or -openapi", fs.Arg(0))}
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	o.beQuick(given)
	if err := o.check(given); err != nil {
		return nil, usageError{err}
	}
	return o, nil
}

// beQuick sets what -quick means and no flag says otherwise.
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

// check returns what is wrong with the flags together.
func (o *options) check(given map[string]bool) error {
	switch {
	case o.rounds < quickRounds || o.rounds > 1000:
		return fmt.Errorf("-rounds %d: a median has a 95 %% confidence interval from %d rounds on; 1000 are the most", o.rounds, quickRounds)
	case o.slice < time.Millisecond || o.slice > 10*time.Second:
		return fmt.Errorf("-slice %v: a turn lasts 1ms to 10s", o.slice)
	case o.routes != "" && o.openapi != "":
		return errors.New("-routes and -openapi exclude each other; compare one, then the other")
	case o.from != "":
		for name := range given {
			if name != "from" && name != "tables" && !o.outputs.has(name) {
				return fmt.Errorf("-from reports a run as it was measured, without -%s; with it go -tables, -html, -markdown, -csv, -bench and -json", name)
			}
		}
	}
	return nil
}

// orHint returns what to write in place of a value that was refused.
func orHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return errors.New(hint)
}

// defaultCPUs returns 1, and 2 where the machine has them.
func defaultCPUs() []int {
	if runtime.NumCPU() < 2 {
		return []int{1}
	}
	return []int{1, 2}
}

// parseCPUs returns the numbers of a list as -cpu has it, sorted, each once.
func parseCPUs(s string) ([]int, error) {
	var cpus []int
	for field := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 1 || n > 1024 {
			return nil, fmt.Errorf("%q is no number of CPUs; write numbers with commas between, as in 1,2", field)
		}
		if n > runtime.NumCPU() {
			return nil, fmt.Errorf("this machine has %d CPUs, and figures for %d would be those of waiting", runtime.NumCPU(), n)
		}
		cpus = append(cpus, n)
	}
	slices.Sort(cpus)
	return slices.Compact(cpus), nil
}

// joined returns numbers as -cpu has them.
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
