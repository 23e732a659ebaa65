// Command twin serves text similarity with a first version of the code in Go.
//
//	twin -server net/http -pipeline regexp -addr localhost:8080
//
// Package original has the pipelines and servers. The first line that it prints is the URL that it
// listens on. After SIGTERM and Ctrl-C, requests in flight are finished.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v3"

	"github.com/muxwell/muxwell/similarity/compare/original"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal kills the process
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run serves until ctx ends, and returns the exit status: 0 after a graceful shutdown, 1 if
// something failed, 2 for invalid arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("twin", flag.ContinueOnError)
	fs.SetOutput(stderr)
	pipeline := original.Regexp
	fs.Func("pipeline", "how texts are normalised, `regexp|replacer|bytereplace` (default regexp)", func(name string) (err error) {
		pipeline, err = original.ParsePipeline(name)
		return err
	})
	kind := "net/http"
	fs.Func("server", "the server, `net/http|fiber|fiber-jsonparser|floor` (default net/http); floor only reads bodies", func(name string) error {
		if !slices.Contains(servers, name) {
			return fmt.Errorf("unknown server; the servers are %s", strings.Join(servers, ", "))
		}
		kind = name
		return nil
	})
	addr := fs.String("addr", "localhost:8080", "listen on `HOST:PORT`; with port 0 on any free port")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case fs.NArg() > 0:
		fmt.Fprintf(stderr, "twin: unexpected argument %q; -help shows the flags\n", fs.Arg(0))
		return 2
	}
	if err := serve(ctx, *addr, newServer(kind, pipeline), stdout); err != nil {
		fmt.Fprintf(stderr, "twin: %v\n", err)
		return 1
	}
	return 0
}

// A server serves a listener until it is shut down.
type server interface {
	Serve(l net.Listener) error
	Shutdown(ctx context.Context) error
}

var servers = []string{"net/http", "fiber", "fiber-jsonparser", "floor"}

func newServer(kind string, p original.Pipeline) server {
	switch kind {
	case "fiber", "fiber-jsonparser":
		return fiberServer{p.Fiber(kind == "fiber-jsonparser")}
	case "floor":
		return &http.Server{Handler: original.Floor(), ReadHeaderTimeout: grace}
	}
	return &http.Server{Handler: p.Handler(), ReadHeaderTimeout: grace}
}

type fiberServer struct{ *fiber.App }

func (s fiberServer) Serve(l net.Listener) error {
	return s.Listener(l, fiber.ListenConfig{DisableStartupMessage: true})
}

func (s fiberServer) Shutdown(ctx context.Context) error { return s.ShutdownWithContext(ctx) }

// grace is how long requests in flight may take to finish.
const grace = 10 * time.Second

func serve(ctx context.Context, addr string, server server, stdout io.Writer) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen: %w; give another -addr", err)
	}
	fmt.Fprintf(stdout, "http://%s\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		return fmt.Errorf("requests did not finish within %v: %w", grace, err)
	}
	return nil
}
