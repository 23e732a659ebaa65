// Command service is an example of a whole service: an API, a site, limits, logs, errors
// in one format, and a graceful shutdown.
//
// The API has typed parameters, a list with a limit, uploads and a stream of events. The
// site is a single-page application whose files browsers cache.
//
//	go run ./examples/service                  # http://localhost:8080/
//	go run ./examples/service -addr :8080 -proxy 10.0.0.0/8 -drain 5s
//
// API requests need a token: that of the environment variable SERVICE_TOKEN, or the one
// that the service makes and prints:
//
//	curl -H "Authorization: Bearer $TOKEN" http://localhost:8080/api/orders
package main

import (
	"context"
	"crypto/rand"
	"errors"
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
		if err != nil || p.Bits() == 0 { // 0.0.0.0/0 would trust every client
			return errors.New("write the addresses of the proxies, such as 10.0.0.0/8 or 192.0.2.7/32")
		}
		proxies = append(proxies, p)
		return nil
	})
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "service: unexpected argument %q; use flags only, see -h\n", flag.Arg(0))
		os.Exit(2)
	}
	if *drain < 0 {
		fmt.Fprintf(os.Stderr, "service: -drain %v is negative; write a duration such as 5s\n", *drain)
		os.Exit(2)
	}
	logger := slog.New(middleware.LogHandler(slog.NewTextHandler(os.Stderr, nil), nil))
	if err := run(*addr, *drain, proxies, logger); err != nil {
		fmt.Fprintf(os.Stderr, "service: %v\n", err)
		os.Exit(1)
	}
}

// run serves until Ctrl-C or SIGTERM; a second one ends the program immediately.
func run(addr string, drain time.Duration, proxies []netip.Prefix, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop()
		logger.Info("shutting down")
	})
	token := os.Getenv("SERVICE_TOKEN")
	if token == "" {
		token = rand.Text()
	}
	s := newServer(newHandler(config{token: token, proxies: proxies, logger: logger}), logger)
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%w; choose another address with -addr", err)
	}
	fmt.Printf("serving on http://%s/\n", l.Addr())
	if os.Getenv("SERVICE_TOKEN") == "" {
		fmt.Printf("the token for the API is %s\n", token)
	}
	return graceful.Serve(ctx, s, func() error { return s.Serve(l) }, &graceful.Options{Drain: drain})
}

// newServer returns the server with limits for every connection.
func newServer(h http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      150 * time.Second, // more than ReadTimeout and the longest Timeout of a route
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
