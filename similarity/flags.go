package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/peterbourgon/ff/v3"
)

// Options are what the server's flags ask for.
type options struct {
	addr        string
	admin       string
	maxBody     byteSize
	maxInFlight int
	logLevel    level

	readHeaderTimeout time.Duration
	readTimeout       time.Duration
	writeTimeout      time.Duration
	idleTimeout       time.Duration

	shutdownDelay   time.Duration
	shutdownTimeout time.Duration
}

const usageHead = `Usage: similarity [serve] [FLAGS]
       similarity batch FILE
       similarity version | help

Serves how similar two texts are:

  similarity
  curl -H 'Content-Type: application/json' -d '{"text1":"a b","text2":"a c"}' localhost:8080/similarity

similarity batch -help says how it compares the rows of a file. Each flag can be an
environment variable, -max-body as SIMILARITY_MAX_BODY; a flag goes before it.

Flags:
`

// envPrefix and an underscore are in front of a flag's name in the environment.
const envPrefix = "SIMILARITY"

// off is the value of -admin that turns it off, as an empty one does, which an
// environment variable cannot have.
const off = "off"

// newFlags returns the flags of the server, which set o.
func newFlags(o *options) *flag.FlagSet {
	fs := flag.NewFlagSet("similarity", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.maxBody, o.logLevel = 4<<20, level(slog.LevelInfo)
	fs.StringVar(&o.addr, "addr", "localhost:8080", "listen on `HOST:PORT`; without a host on all of them, with port 0 on any free port")
	fs.StringVar(&o.admin, "admin", "localhost:0", "listen on this loopback `HOST:PORT` for /debug/pprof; \"off\" or nothing turns it off")
	fs.Var(&o.maxBody, "max-body", "the `bytes` that a body may have, as in 500000, 512KiB or 4MiB; a longer one is answered with 413")
	fs.IntVar(&o.maxInFlight, "max-inflight", 1024, "the `number` of bodies that are read and compared at once; what goes beyond is answered with 503")
	fs.Var(&o.logLevel, "log-level", "log this `level` and above: debug, info, warn or error; from warn on no line for a request that went well")
	fs.DurationVar(&o.readHeaderTimeout, "read-header-timeout", 5*time.Second, "the `time` that a request's header may take")
	fs.DurationVar(&o.readTimeout, "read-timeout", 30*time.Second, "the `time` that a request may take, header and body; a later one is answered with 408")
	fs.DurationVar(&o.writeTimeout, "write-timeout", 40*time.Second, "the `time` from the end of a request's header to the end of its answer; longer than -read-timeout")
	fs.DurationVar(&o.idleTimeout, "idle-timeout", 60*time.Second, "the `time` that a connection may wait for its next request")
	fs.DurationVar(&o.shutdownDelay, "shutdown-delay", 0, "the `time` that requests are still taken after SIGTERM while /readyz says 503, for balancers to notice")
	fs.DurationVar(&o.shutdownTimeout, "shutdown-timeout", 10*time.Second, "the `time` that requests in flight may then take until they are cut off")
	return fs
}

// parse returns what the arguments and the environment ask for. Help goes to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := new(options)
	fs := newFlags(o)
	if err := ff.Parse(fs, args, ff.WithEnvVarPrefix(envPrefix)); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			printUsage(stdout, fs)
			return nil, flag.ErrHelp
		}
		if inner := errors.Unwrap(err); inner != nil {
			err = inner // without ff's words in front
		}
		return nil, usageError{fmt.Errorf("%w; -help shows all flags", err)}
	}
	if fs.NArg() > 0 {
		return nil, usageError{fmt.Errorf("there is no operand %q; a file's rows are compared by: similarity batch FILE", fs.Arg(0))}
	}
	if err := o.check(); err != nil {
		return nil, usageError{err}
	}
	return o, nil
}

func printUsage(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprint(w, usageHead)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

// check returns what is wrong with the options.
func (o *options) check() error {
	if _, _, err := net.SplitHostPort(o.addr); err != nil {
		return fmt.Errorf("-addr %q is not HOST:PORT, as in localhost:8080 or :8080", o.addr)
	}
	if err := o.checkAdmin(); err != nil {
		return err
	}
	if o.maxInFlight < 1 || o.maxInFlight > 1_000_000 {
		return fmt.Errorf("-max-inflight %d: write a number from 1 to 1000000", o.maxInFlight)
	}
	for _, d := range []struct {
		name string
		time time.Duration
		min  time.Duration
	}{
		{"read-header-timeout", o.readHeaderTimeout, time.Millisecond},
		{"read-timeout", o.readTimeout, time.Millisecond},
		{"write-timeout", o.writeTimeout, time.Millisecond},
		{"idle-timeout", o.idleTimeout, time.Millisecond},
		{"shutdown-delay", o.shutdownDelay, 0},
		{"shutdown-timeout", o.shutdownTimeout, time.Millisecond},
	} {
		if d.time < d.min || d.time > 24*time.Hour {
			return fmt.Errorf("-%s %v: write a time from %v to 24h", d.name, d.time, d.min)
		}
	}
	if o.writeTimeout <= o.readTimeout {
		return fmt.Errorf("-write-timeout %v: it must be longer than -read-timeout, which is %v, since it begins before the body is read", o.writeTimeout, o.readTimeout)
	}
	return nil
}

// checkAdmin returns what is wrong with -admin, and makes "off" of an empty one.
func (o *options) checkAdmin() error {
	if o.admin == "" || o.admin == off {
		o.admin = off
		return nil
	}
	host, _, err := net.SplitHostPort(o.admin)
	if err != nil {
		return fmt.Errorf("-admin %q is not HOST:PORT, as in localhost:6060; -admin off turns it off", o.admin)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("-admin %q is not on a loopback address, as localhost:6060 is: profiles are for this machine only", o.admin)
	}
	return nil
}
