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

	"github.com/muxwell/muxwell/similarity/internal/command"
)

// Options are the values of the server's flags.
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
       similarity batch FILE...
       similarity pairs FILE...
       similarity version | help

Serves how similar two texts are, over HTTP:

  similarity
  curl -H 'Content-Type: application/json' -d '{"text1":"a b","text2":"a c"}' localhost:8080/similarity

similarity batch -help describes how to compare the rows of files, and similarity
pairs -help how to find similar documents. Each flag of the server can be set by an
environment variable, such as SIMILARITY_MAX_BODY for -max-body. A flag takes
precedence over its variable.

Flags:
`

// envPrefix and an underscore precede a flag's name in the environment.
const envPrefix = "SIMILARITY"

// off is the value of -admin that disables it. "" does too, but an environment variable
// cannot be empty.
const off = "off"

// newFlags returns the flags of the server, which set o.
func newFlags(o *options) *flag.FlagSet {
	fs := flag.NewFlagSet("similarity", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.maxBody, o.logLevel = 4<<20, level(slog.LevelInfo)
	fs.StringVar(&o.addr, "addr", "localhost:8080", "listen on `HOST:PORT`; without a host on all addresses, with port 0 on any free port")
	fs.StringVar(&o.admin, "admin", "localhost:0", "serve /debug/pprof on this loopback `HOST:PORT`; \"off\" or \"\" disables it")
	fs.Var(&o.maxBody, "max-body", "the maximum `size` of a body, such as 500000, 512KiB or 4MiB; a longer body is answered with 413")
	fs.IntVar(&o.maxInFlight, "max-inflight", 1024, "the maximum `number` of bodies that are read and compared at the same time; more are answered with 503")
	fs.Var(&o.logLevel, "log-level", "the lowest `level` to log: debug, info, warn or error; with warn or error, successful requests have no line")
	fs.DurationVar(&o.readHeaderTimeout, "read-header-timeout", 5*time.Second, "the maximum `time` to read a request's header")
	fs.DurationVar(&o.readTimeout, "read-timeout", 30*time.Second, "the maximum `time` to read a request, header and body; a slower request is answered with 408")
	fs.DurationVar(&o.writeTimeout, "write-timeout", 40*time.Second, "the maximum `time` from the end of a request's header to the end of its answer; must be longer than -read-timeout")
	fs.DurationVar(&o.idleTimeout, "idle-timeout", 60*time.Second, "the maximum `time` that a connection waits for its next request")
	fs.DurationVar(&o.shutdownDelay, "shutdown-delay", 0, "the `time` to keep accepting requests after SIGTERM while /readyz returns 503, so that load balancers notice")
	fs.DurationVar(&o.shutdownTimeout, "shutdown-timeout", 10*time.Second, "the maximum `time` after that for requests in flight, before they are cut off")
	return fs
}

// parse parses the arguments and the environment. It prints help to stdout.
func parse(args []string, stdout io.Writer) (*options, error) {
	o := new(options)
	fs := newFlags(o)
	if err := ff.Parse(fs, args, ff.WithEnvVarPrefix(envPrefix)); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			printUsage(stdout, fs)
			return nil, flag.ErrHelp
		}
		if inner := errors.Unwrap(err); inner != nil {
			err = inner // without ff's prefix
		}
		return nil, command.UsageError{Err: fmt.Errorf("%w; -help shows all flags", err)}
	}
	if fs.NArg() > 0 {
		return nil, command.UsageError{Err: fmt.Errorf("unexpected argument %q; to compare the rows of a file, use similarity batch FILE", fs.Arg(0))}
	}
	if err := o.check(); err != nil {
		return nil, command.UsageError{Err: err}
	}
	return o, nil
}

func printUsage(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprint(w, usageHead)
	fs.SetOutput(w)
	fs.PrintDefaults()
}

// check returns an error if the options are invalid.
func (o *options) check() error {
	if _, _, err := net.SplitHostPort(o.addr); err != nil {
		return fmt.Errorf("-addr %q is not HOST:PORT; use, for example, localhost:8080 or :8080", o.addr)
	}
	if err := o.checkAdmin(); err != nil {
		return err
	}
	if o.maxInFlight < 1 || o.maxInFlight > 1_000_000 {
		return fmt.Errorf("-max-inflight %d: must be from 1 to 1000000", o.maxInFlight)
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
			return fmt.Errorf("-%s %v: must be from %v to 24h", d.name, d.time, d.min)
		}
	}
	if o.writeTimeout <= o.readTimeout {
		return fmt.Errorf("-write-timeout %v: must be longer than -read-timeout, which is %v, because it begins before the body is read", o.writeTimeout, o.readTimeout)
	}
	return nil
}

// checkAdmin returns an error if -admin is invalid, and replaces "" by "off".
func (o *options) checkAdmin() error {
	if o.admin == "" || o.admin == off {
		o.admin = off
		return nil
	}
	host, _, err := net.SplitHostPort(o.admin)
	if err != nil {
		return fmt.Errorf("-admin %q is not HOST:PORT; use, for example, localhost:6060, or off to disable it", o.admin)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("-admin %q is not a loopback address; use, for example, localhost:6060: profiles are for this machine only", o.admin)
	}
	return nil
}
