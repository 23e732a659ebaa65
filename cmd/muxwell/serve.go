package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const serveLong = `
Each route answers requests with JSON: its pattern, its options, the method that
matched and the parameters. A request that no route matches gets a JSON error with
status 404 or 405, or an error with status 406 or 415. Requests are served over
HTTP, so routes with scheme=https never match.

GET / shows the list, as a page in a browser and as JSON for programs that send
Accept: application/json, unless a route of the list matches GET /.

GET /_routes/ is the explorer: the routes as a tree and as a table, which route
matches a request and why, how many requests each route had, and the list as
OpenAPI, Markdown and DOT. It takes precedence over patterns that match its path
by a parameter or a catch-all. It is disabled if the list has a route at /_routes
or below.

` + fileHelp + `
Ctrl-C stops the server once the requests in flight have finished. A second Ctrl-C
stops it at once.`

// grace is how long requests in flight may take to finish after Ctrl-C.
const grace = 10 * time.Second

func serveCommand() command {
	return command{
		name:     "serve",
		operands: "FILE",
		short:    "serve a list of routes over HTTP, to see which route matches a request",
		long:     serveLong,
		setup: func(fs *flag.FlagSet) runner {
			addr := fs.String("addr", "localhost:8080", "listen on `HOST:PORT`; without a host on all interfaces,\nwith port 0 on any free port")
			return func(ctx context.Context, std stdio, operands []string) error {
				return serve(ctx, std, *addr, operands)
			}
		},
	}
}

// serve checks its arguments, loads the list, listens, and serves until ctx
// ends.
func serve(ctx context.Context, std stdio, addr string, operands []string) error {
	file, err := oneList(operands)
	if err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return &usageError{reason: fmt.Sprintf("-addr %q is not HOST:PORT, as in localhost:8080 or :8080", addr)}
	}
	s, err := loadFile(ctx, std, file, newSite)
	if err != nil {
		return err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("%w; choose another address with -addr, such as -addr localhost:0 for any free port", err)
	}
	printBanner(std.out, s, baseURL(addr, ln.Addr()))
	return serveUntil(ctx, ln, newServer(s.observer, std.err), std.out, grace)
}

// printBanner says what is served where.
func printBanner(w io.Writer, s *site, url string) {
	fmt.Fprintf(w, "Serving %s of %s on %s\n", count(len(s.routes), "route"), printable(s.name), url)
	if !s.listed {
		fmt.Fprintln(w, "The list is not shown at /: one of its routes matches GET /")
	}
	if s.explored {
		fmt.Fprintf(w, "Explore the routes on %s\n", strings.TrimSuffix(url, "/")+explorerPath)
	} else {
		fmt.Fprintln(w, "The explorer is disabled: the list has a route at /_routes")
	}
	fmt.Fprintln(w, "Press Ctrl-C to stop")
}

// baseURL returns the URL of a listener that was asked for addr: with the host
// of addr, or localhost where that is none, and the port there really is.
func baseURL(addr string, bound net.Addr) string {
	host, _, _ := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, _ := net.SplitHostPort(bound.String())
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/"}
	return u.String()
}

// newServer returns a server with limits for clients that are slow or gone.
func newServer(h http.Handler, stderr io.Writer) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          log.New(stderr, "muxwell serve: ", 0),
	}
}

// serveUntil serves on ln until ctx ends. Then it takes no more requests and
// returns when those in flight are finished; after the grace period they are
// cut off, which is an error. It closes ln.
func serveUntil(ctx context.Context, ln net.Listener, srv *http.Server, out io.Writer, grace time.Duration) error {
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	fmt.Fprintln(out, "Stopping; press Ctrl-C again to stop at once")
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := srv.Shutdown(last); err != nil {
		srv.Close()
		return fmt.Errorf("requests that were not finished after %v were cut off", grace)
	}
	return nil
}
