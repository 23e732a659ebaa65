package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/muxwell/muxwell/similarity/load"
)

// Options are what the flags ask for.
type options struct {
	services    []service
	kind        load.Kind
	rounds      int
	duration    time.Duration
	connections int
	distinct    int // bodies of the load
	seed        uint64
	baseline    string
	build       string
	quick       bool
	list        bool
	json        string
	markdown    string
}

const usageHead = `Usage: compare [FLAGS]

Compares services that tell how similar two texts are, over HTTP, each on a core of
its own. Run it in the repository; it builds what it compares.

  go run ./similarity/compare                 all services, plain texts
  go run ./similarity/compare -quick          the same less exactly, in a minute
  go run ./similarity/compare -kind messy     texts with everything in them

Flags:
`

// Settings of -quick, where flags do not say otherwise.
const (
	quickRounds   = 3
	quickDuration = time.Second
)

// parse returns what the arguments ask for. Help goes to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := &options{services: allServices, distinct: 256}
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.define(fs)
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
		return nil, usageError{fmt.Errorf("there is no operand %q; services are chosen with -services", fs.Arg(0))}
	}
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if o.quick && !given["rounds"] {
		o.rounds = quickRounds
	}
	if o.quick && !given["duration"] {
		o.duration = quickDuration
	}
	if err := o.check(given["baseline"]); err != nil {
		return nil, usageError{err}
	}
	return o, nil
}

// define defines the flags, which set o.
func (o *options) define(fs *flag.FlagSet) {
	fs.Func("services", "the `names` of services, with commas between, or all (default all); -list shows them", func(s string) (err error) {
		o.services, err = chosen(s)
		return err
	})
	fs.Func("kind", "what texts are made of, `plain|messy` (default plain)", func(s string) error {
		kind, err := load.ParseKind(s)
		if err != nil {
			return errors.New("write plain or messy")
		}
		o.kind = kind
		return nil
	})
	o.rounds, o.seed = 10, 1
	fs.Func("rounds", "the `number` of turns of each service (default 10)", func(s string) (err error) {
		o.rounds, err = strconv.Atoi(s)
		return orHint(err, "write a whole number")
	})
	fs.DurationVar(&o.duration, "duration", 3*time.Second, "how long a service is under load in a turn")
	fs.IntVar(&o.connections, "connections", 32, "the `number` of connections, each with a request at a time")
	fs.Func("seed", "a `number` that texts and orders are made from; the same makes the same (default 1)", func(s string) (err error) {
		o.seed, err = strconv.ParseUint(s, 10, 64)
		return orHint(err, "write a whole number from 0 on")
	})
	fs.StringVar(&o.baseline, "baseline", "muxwell", "the `service` that ratios are to")
	fs.StringVar(&o.build, "build", "", "build in this `folder` (default one in the user's cache)")
	fs.BoolVar(&o.quick, "quick", false, fmt.Sprintf("less exact: -rounds %d -duration %v", quickRounds, quickDuration))
	fs.BoolVar(&o.list, "list", false, "list the services")
	fs.StringVar(&o.json, "json", "", "write all there is to this `file`, samples included")
	fs.StringVar(&o.markdown, "markdown", "", "write the table to this `file` too")
}

// check returns what is wrong with the flags together.
func (o *options) check(baselineGiven bool) error {
	has := slices.ContainsFunc(o.services, func(s service) bool { return s.name == o.baseline })
	switch {
	case o.rounds < 1 || o.rounds > 1000:
		return fmt.Errorf("-rounds %d: write a number from 1 to 1000", o.rounds)
	case o.duration < 10*time.Millisecond || o.duration > 10*time.Minute:
		return fmt.Errorf("-duration %v: a turn lasts 10ms to 10m", o.duration)
	case o.connections < 1 || o.connections > 1024:
		return fmt.Errorf("-connections %d: write a number from 1 to 1024", o.connections)
	case !has && baselineGiven:
		return fmt.Errorf("-baseline %s is not among the services; choose one of -services", o.baseline)
	case !has:
		o.baseline = o.services[0].name
	}
	return nil
}

// chosen returns the services of a list as -services has it, in its order.
func chosen(s string) ([]service, error) {
	if s == "all" {
		return allServices, nil
	}
	var services []service
	for name := range strings.SplitSeq(s, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(allServices, func(s service) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no service %q; write names out of %s, with commas between", name, strings.Join(names(allServices), ", "))
		}
		if !slices.Contains(names(services), name) {
			services = append(services, allServices[i])
		}
	}
	return services, nil
}

// orHint returns what to write in place of a value that was refused.
func orHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return errors.New(hint)
}

// warm is how long a service is under load before it is measured.
func (o *options) warm() time.Duration { return max(200*time.Millisecond, o.duration/10) }

// estimate returns about how long the turns take.
func (o *options) estimate() time.Duration {
	const around = 150 * time.Millisecond // to start and to end
	return time.Duration(o.rounds*len(o.services)) * (o.warm() + o.duration + around)
}
