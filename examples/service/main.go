// Command service is an example of a whole service: an API, a site, limits, logs, errors
// in one format, and a graceful shutdown.
//
// The API has typed parameters, a list with a limit, uploads and a stream of events. The
// site is a single-page application with files that browsers keep.
//
//	go run ./examples/service                  # http://localhost:8080/
//	go run ./examples/service -addr :8080 -proxy 10.0.0.0/8 -drain 5s
//
// API requests need the token that it prints, or that of the environment variable
// SERVICE_TOKEN:
//
//	curl -H "Authorization: Bearer $TOKEN" http://localhost:8080/api/orders
package main

import (
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/middleware"
)

func main() {
	addr := flag.String("addr", "localhost:8080", "listen on `HOST:PORT`")
	drain := flag.Duration("drain", 0, "answer 503 at /readyz for `TIME` before a shutdown, for load balancers")
	var proxies []netip.Prefix
	flag.Func("proxy", "trust the proxies in `PREFIX`, such as 10.0.0.0/8; repeat it for several", func(s string) error {
		p, err := netip.ParsePrefix(s)
		proxies = append(proxies, p)
		return err
	})
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "service: unexpected argument %q; it has flags only, see -h\n", flag.Arg(0))
		os.Exit(2)
	}
	if *drain < 0 {
		fmt.Fprintf(os.Stderr, "service: -drain %v is negative; write a duration such as 5s\n", *drain)
		os.Exit(2)
	}
	logger := slog.New(middleware.LogHandler(slog.NewTextHandler(os.Stderr, nil), nil))
	if err := run(*addr, *drain, proxies, logger); err != nil {
		logger.Error("service failed", "error", err)
		os.Exit(1)
	}
}

// run serves until Ctrl-C or SIGTERM; a second one ends the program immediately.
func run(addr string, drain time.Duration, proxies []netip.Prefix, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	token := os.Getenv("SERVICE_TOKEN")
	if token == "" {
		token = rand.Text()
		fmt.Printf("the token for the API is %s\n", token)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("serving on http://%s/\n", l.Addr())
	s := newServer(newHandler(config{token: token, proxies: proxies, logger: logger}), logger)
	return graceful.Serve(ctx, s, func() error { return s.Serve(l) }, &graceful.Options{Drain: drain})
}

// newServer returns the server with limits for every connection.
func newServer(h http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      90 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
