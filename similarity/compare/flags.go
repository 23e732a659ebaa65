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

// Options are the values of the flags.
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

Compares services that compute how similar two texts are, over HTTP, each on its own
core. Run it in the repository; it builds the services.

  go run ./similarity/compare                 all services, plain texts
  go run ./similarity/compare -quick          the same, less precise, in a minute
  go run ./similarity/compare -kind messy     texts with punctuation, escapes and UTF-8

Flags:
`

// Settings of -quick, unless flags override them.
const (
	quickRounds   = 3
	quickDuration = time.Second
)

// parse parses the arguments. It prints help to stdout.
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
		return nil, usageError{fmt.Errorf("unexpected argument %q; choose services with -services", fs.Arg(0))}
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
	fs.Func("services", "comma-separated `names` of services, or all (default all); -list shows them", func(s string) (err error) {
		o.services, err = chosen(s)
		return err
	})
	fs.Func("kind", "the kind of texts, `plain|messy` (default plain)", func(s string) error {
		kind, err := load.ParseKind(s)
		if err != nil {
			return errors.New("must be plain or messy")
		}
		o.kind = kind
		return nil
	})
	o.rounds, o.seed = 10, 1
	fs.Func("rounds", "the `number` of turns of each service (default 10)", func(s string) (err error) {
		o.rounds, err = strconv.Atoi(s)
		return orHint(err, "must be a whole number")
	})
	fs.DurationVar(&o.duration, "duration", 3*time.Second, "the `time` that a service is under load in a turn")
	fs.IntVar(&o.connections, "connections", 32, "the `number` of connections, each with one request at a time")
	fs.Func("seed", "the `seed` of the texts and of the order of turns; the same seed gives the same ones (default 1)", func(s string) (err error) {
		o.seed, err = strconv.ParseUint(s, 10, 64)
		return orHint(err, "must be a whole number, 0 or more")
	})
	fs.StringVar(&o.baseline, "baseline", "muxwell", "the `service` that the others are compared with")
	fs.StringVar(&o.build, "build", "", "build in this `directory` (default one in the user's cache)")
	fs.BoolVar(&o.quick, "quick", false, fmt.Sprintf("less precise: -rounds %d -duration %v", quickRounds, quickDuration))
	fs.BoolVar(&o.list, "list", false, "list the services")
	fs.StringVar(&o.json, "json", "", "write all results to this `file`, including samples")
	fs.StringVar(&o.markdown, "markdown", "", "also write the table to this `file`")
}

// check returns an error if the flags are invalid together.
func (o *options) check(baselineGiven bool) error {
	has := slices.ContainsFunc(o.services, func(s service) bool { return s.name == o.baseline })
	switch {
	case o.rounds < 1 || o.rounds > 1000:
		return fmt.Errorf("-rounds %d: must be from 1 to 1000", o.rounds)
	case o.duration < 10*time.Millisecond || o.duration > 10*time.Minute:
		return fmt.Errorf("-duration %v: must be from 10ms to 10m", o.duration)
	case o.connections < 1 || o.connections > 1024:
		return fmt.Errorf("-connections %d: must be from 1 to 1024", o.connections)
	case !has && baselineGiven:
		return fmt.Errorf("-baseline %s is not one of the services; choose one of -services", o.baseline)
	case !has:
		o.baseline = o.services[0].name
	}
	return nil
}

// chosen returns the services that -services lists, in its order.
func chosen(s string) ([]service, error) {
	if s == "all" {
		return allServices, nil
	}
	var services []service
	for name := range strings.SplitSeq(s, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(allServices, func(s service) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown service %q; write comma-separated names out of %s", name, strings.Join(names(allServices), ", "))
		}
		if !slices.Contains(names(services), name) {
			services = append(services, allServices[i])
		}
	}
	return services, nil
}

// orHint returns an error with the hint if err is not nil.
func orHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return errors.New(hint)
}

// warm is how long a service is under load before it is measured.
func (o *options) warm() time.Duration { return max(200*time.Millisecond, o.duration/10) }

// estimate returns an estimate of the time for all turns.
func (o *options) estimate() time.Duration {
	const around = 150 * time.Millisecond // to start and to end
	return time.Duration(o.rounds*len(o.services)) * (o.warm() + o.duration + around)
}
