// Command shop is an example of a small shop: an API with an OpenAPI document, pages, a
// database, sessions, and all that a service needs in operation. See README.md.
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

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/crypto/bcrypt"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/middleware"
)

const usage = `Usage: shop [flags]

Shop serves a small shop until Ctrl-C or SIGTERM.

Flags:
`

const environment = `
Environment variables:
  SHOP_STAFF_PASSWORD
    	the password of staff; without it, the shop makes one and prints it
  OTEL_EXPORTER_OTLP_ENDPOINT
    	export traces to this URL, such as http://localhost:4318
`

type flags struct {
	addr, metrics, db string
	proxies           []netip.Prefix
	secure            bool
	drain             time.Duration
}

func parseFlags() (f flags) {
	flag.StringVar(&f.addr, "addr", "localhost:8080", "listen on `HOST:PORT`")
	flag.StringVar(&f.metrics, "metrics", "localhost:9090", "serve /metrics for Prometheus on `HOST:PORT`, which the public must not reach; empty for none")
	flag.StringVar(&f.db, "db", "shop.db", "keep the data in `FILE`, with example data if it is new")
	flag.Func("proxy", "trust the proxies in `PREFIX`, such as 10.0.0.0/8; repeat it for several", func(s string) error {
		p, err := netip.ParsePrefix(s)
		if err != nil || p.Bits() == 0 { // 0.0.0.0/0 would trust every client
			return errors.New("write the addresses of the proxies, such as 10.0.0.0/8 or 192.0.2.7/32")
		}
		f.proxies = append(f.proxies, p)
		return nil
	})
	flag.BoolVar(&f.secure, "secure", false, "send cookies over https only; set it behind a proxy that terminates TLS")
	flag.DurationVar(&f.drain, "drain", 0, "answer 503 at /readyz for `TIME` before a shutdown, for load balancers")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
		fmt.Fprint(flag.CommandLine.Output(), environment)
	}
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "shop: unexpected argument %q; use flags only, see -h\n", flag.Arg(0))
		os.Exit(2)
	}
	if f.drain < 0 {
		fmt.Fprintf(os.Stderr, "shop: -drain %v is negative; write a duration such as 5s\n", f.drain)
		os.Exit(2)
	}
	return f
}

func main() {
	if err := run(parseFlags()); err != nil {
		fmt.Fprintf(os.Stderr, "shop: %v\n", err)
		os.Exit(1)
	}
}

// run serves until Ctrl-C or SIGTERM; a second one ends the program immediately.
func run(f flags) error {
	logger := slog.New(middleware.LogHandler(slog.NewTextHandler(os.Stderr, nil), &middleware.LogHandlerOptions{TraceID: traceID}))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop()
		logger.Info("shutting down")
	})

	st, err := openStore(ctx, f.db)
	if err != nil {
		return err
	}
	defer st.db.Close()
	password, generated := os.Getenv("SHOP_STAFF_PASSWORD"), false
	if password == "" {
		password, generated = rand.Text(), true
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
	if err != nil {
		return fmt.Errorf("SHOP_STAFF_PASSWORD: %w", err) // it is too long
	}
	tracer, err := newTracer(ctx)
	if err != nil {
		return err
	}
	defer func() { // the last spans
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := tracer.Shutdown(ctx); err != nil {
			logger.Warn("spans are lost", "error", err)
		}
	}()
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewDBStatsCollector(st.db, "shop"))

	if f.metrics != "" {
		l, err := net.Listen("tcp", f.metrics)
		if err != nil {
			return fmt.Errorf("%w; choose another address with -metrics", err)
		}
		m := muxwell.New()
		m.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
		s := newServer(m, logger)
		go s.Serve(l)
		defer s.Close()
		fmt.Printf("metrics on http://%s/metrics\n", l.Addr())
	}
	l, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("%w; choose another address with -addr", err)
	}
	s := newServer(newHandler(config{
		store: st, passwordHash: hash, proxies: f.proxies, secure: f.secure, logger: logger, registry: registry, tracer: tracer,
	}), logger)
	fmt.Printf("serving on http://%s/\n", l.Addr())
	if generated {
		fmt.Printf("the password of staff is %s\n", password)
	}
	return graceful.Serve(ctx, s, func() error { return s.Serve(l) }, &graceful.Options{Drain: f.drain})
}

// newServer returns a server with limits for every connection.
func newServer(h http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      40 * time.Second, // more than ReadTimeout and the Timeout of routes
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
